package org.lacis.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.trace.Traces;
import org.lacis.trace.depth.Progress;

/** Calls of all kinds, played again as they happened: each trace is one of a few events. */
class ReplayCallsTest {
  @TempDir Path folder;
  private int time;

  @Test
  void aReceiveThatWasCancelledGetsNothing() throws IOException {
    rank(0, "MPI_Irecv source=1 tag=5 request=2", "MPI_Cancel request=2");
    rank(0, "MPI_Wait request=2 status=0,0,1,0,0");
    rank(0, "MPI_Recv source=1 tag=5 status=4,1,0,0,5");
    rank(1, "MPI_Send dest=0 tag=5");
    // By the cancelled one the message would have been received as expected.
    ReplayResult result = run();
    assertThat(result.paired()).isEqualTo(1);
    assertThat(result.play(Engine.LIST).asRecorded()).isEqualTo(1);
    assertThat(result.play(Engine.BLOCKS).asRecorded()).isEqualTo(1);
  }

  @Test
  void persistentRequestsSendAndReceiveAgain() throws IOException {
    rank(0, "MPI_Recv_init source=1 tag=5 request=2", "MPI_Recv_init source=1 tag=6 request=3");
    rank(1, "MPI_Send_init dest=0 tag=5 request=2", "MPI_Ssend_init dest=0 tag=6 request=3");
    for (int i = 0; i < 3; i++) {
      rank(0, "MPI_Startall requests=2,3", "MPI_Waitall requests=2,3");
      rank(1, "MPI_Start request=2", "MPI_Start request=3", "MPI_Waitall requests=2,3");
    }
    ReplayResult result = run();
    assertThat(result.messages()).isEqualTo(6);
    assertThat(result.play(Engine.LIST).asRecorded()).isEqualTo(6);
  }

  @Test
  void anExchangeSendsAndReceives() throws IOException {
    rank(0, "MPI_Sendrecv dest=1 sendtag=3 source=1 recvtag=4 status=4,1,0,0,4");
    rank(1, "MPI_Sendrecv dest=0 sendtag=4 source=-1 recvtag=3 status=4,0,0,0,3");
    rank(0, "MPI_Sendrecv_replace dest=1 sendtag=7 source=1 recvtag=7");
    rank(1, "MPI_Sendrecv_replace dest=0 sendtag=7 source=0 recvtag=7");
    ReplayResult result = run();
    assertThat(result.messages()).isEqualTo(4);
    assertThat(result.paired()).isEqualTo(4);
    assertThat(result.play(Engine.ORDERED).asRecorded()).isEqualTo(4);
  }

  @Test
  void aMessageThatWasProbedIsThere() throws IOException {
    // The clock of rank 1 is late: by the times of the trace the message was not yet sent.
    rank(
        0,
        "MPI_Iprobe source=-1 tag=5 flag=0",
        "MPI_Iprobe source=-1 tag=5 flag=1 status=4,1,0,0,5");
    rank(0, "MPI_Probe source=1 tag=-1 status=4,1,0,0,5");
    rank(0, "MPI_Recv source=1 tag=5 status=4,1,0,0,5");
    rank(1, "MPI_Send dest=0 tag=5");
    ReplayResult.Play list = run().play(Engine.LIST);
    assertThat(list.unexpected()).isEqualTo(1);
    assertThat(list.asRecorded()).isEqualTo(1);
  }

  @Test
  void testsCompleteWhatTheyFindComplete() throws IOException {
    rank(1, "MPI_Send dest=0 tag=1", "MPI_Send dest=0 tag=2", "MPI_Send dest=0 tag=3");
    rank(1, "MPI_Send dest=0 tag=4", "MPI_Send dest=0 tag=5");
    for (int tag = 1; tag <= 5; tag++) {
      rank(0, "MPI_Irecv source=-1 tag=-1 request=" + (tag + 1));
    }
    rank(0, "MPI_Test request=2 flag=0", "MPI_Test request=2 flag=1 status=4,1,0,0,1");
    rank(0, "MPI_Testany requests=3,4 flag=1 index=0 status=4,1,0,0,2");
    rank(0, "MPI_Testsome requests=4,5,6 indices=0 statuses=4,1,0,0,3");
    rank(0, "MPI_Testall requests=5,6 flag=0");
    rank(0, "MPI_Testall requests=5,6 flag=1 statuses=4,1,0,0,4,4,1,0,0,5");
    ReplayResult result = run();
    assertThat(result.paired()).isEqualTo(5);
    assertThat(result.wildcards()).isEqualTo(5);
    assertThat(result.play(Engine.LIST).asRecorded()).isEqualTo(5);
  }

  @Test
  void waitsCompleteTheRequestsTheyName() throws IOException {
    rank(1, "MPI_Send dest=0 tag=1", "MPI_Send dest=0 tag=2", "MPI_Send dest=0 tag=3");
    for (int tag = 1; tag <= 3; tag++) {
      rank(0, "MPI_Irecv source=-1 tag=%d request=%d".formatted(tag, tag + 1));
    }
    rank(0, "MPI_Waitany requests=2,3,4 index=2 status=4,1,0,0,3");
    rank(0, "MPI_Waitsome requests=2,3,4 indices=1,0 statuses=4,1,0,0,2,4,1,0,0,1");
    ReplayResult result = run();
    assertThat(result.paired()).isEqualTo(3);
    assertThat(result.play(Engine.LIST).asRecorded()).isEqualTo(3);
  }

  @Test
  void likeReceivesGetTheirMessagesInTheOrderTheyWerePosted() throws IOException {
    rank(1, "MPI_Send dest=0 tag=1", "MPI_Send dest=0 tag=1", "MPI_Send dest=0 tag=1");
    rank(0, "MPI_Irecv source=-1 tag=1 request=2", "MPI_Irecv source=1 tag=1 request=3");
    rank(0, "MPI_Irecv source=1 tag=-1 request=4");
    // They are waited for in another order.
    rank(0, "MPI_Wait request=3 status=4,1,0,0,1", "MPI_Wait request=4 status=4,1,0,0,1");
    rank(0, "MPI_Wait request=2 status=4,1,0,0,1");
    ReplayResult result = run();
    assertThat(result.paired()).isEqualTo(3);
    assertThat(result.play(Engine.LIST).asRecorded()).isEqualTo(3);
    assertThat(result.play(Engine.BLOCKS).asRecorded()).isEqualTo(3);
  }

  @Test
  void communicatorsAreFollowedThroughSplitsGroupsAndGrids() throws IOException {
    // Odd ranks, the last first: rank 3 is 0 there, and 1 is 1.
    rank(1, "MPI_Comm_split oldcomm=2 color=1 key=9 newcomm=4");
    rank(3, "MPI_Comm_split oldcomm=2 color=1 key=0 newcomm=7");
    rank(0, "MPI_Comm_split oldcomm=2 color=0 key=0 newcomm=4");
    rank(2, "MPI_Comm_split oldcomm=2 color=0 key=1 newcomm=4");
    rank(1, "MPI_Send comm=4 dest=0 tag=1");
    rank(3, "MPI_Recv comm=7 source=1 tag=1");
    // A group of ranks 2 and 0, in this order.
    for (int rank = 0; rank < 4; rank++) {
      rank(rank, "MPI_Comm_group comm=2 group=5", "MPI_Group_incl group=5 ranks=2,0 newgroup=6");
      rank(rank, "MPI_Comm_create oldcomm=2 group=6 newcomm=" + (rank % 2 == 0 ? 8 : 1));
    }
    rank(0, "MPI_Send comm=8 dest=0 tag=2");
    rank(2, "MPI_Recv comm=8 source=1 tag=2");
    // A grid of 2 by 2, and its columns: ranks 1 and 3 are in one.
    for (int rank = 0; rank < 4; rank++) {
      rank(rank, "MPI_Cart_create oldcomm=2 dims=2,2 newcomm=9");
      rank(rank, "MPI_Cart_sub oldcomm=9 remain_dims=1,0 newcomm=10");
      rank(rank, "MPI_Comm_dup oldcomm=10 newcomm=11", "MPI_Comm_free comm=10");
    }
    rank(1, "MPI_Send comm=11 dest=1 tag=3", "MPI_Send comm=10 dest=1 tag=3");
    rank(3, "MPI_Recv comm=11 source=0 tag=3");
    ReplayResult result = run();
    assertThat(result.messages()).isEqualTo(3);
    assertThat(result.paired()).isEqualTo(3);
    assertThat(result.leftOut()).as("a communicator that was freed").isEqualTo(1);
  }

  @Test
  void interCommunicatorsJoinTwoGroups() throws IOException {
    // Even and odd ranks; leaders are ranks 0 and 3.
    rank(0, "MPI_Comm_split oldcomm=2 color=0 key=0 newcomm=4");
    rank(1, "MPI_Comm_split oldcomm=2 color=1 key=0 newcomm=4");
    rank(2, "MPI_Comm_split oldcomm=2 color=0 key=1 newcomm=4");
    rank(3, "MPI_Comm_split oldcomm=2 color=1 key=1 newcomm=4");
    String even = "MPI_Intercomm_create localcomm=4 localleader=0 remotecomm=%d remoteleader=%d";
    String odd = "MPI_Intercomm_create localcomm=4 localleader=1 remotecomm=%d remoteleader=%d";
    rank(0, even.formatted(2, 3) + " tag=8 newcomm=5");
    rank(2, even.formatted(1, 0) + " tag=8 newcomm=5");
    rank(1, odd.formatted(1, 0) + " tag=8 newcomm=6");
    rank(3, odd.formatted(2, 0) + " tag=8 newcomm=5");
    // Peers are ranks of the other side: 1 there is rank 2, or rank 3.
    rank(2, "MPI_Send comm=5 dest=1 tag=1");
    rank(3, "MPI_Recv comm=5 source=1 tag=1");
    rank(1, "MPI_Send comm=6 dest=0 tag=2");
    rank(0, "MPI_Recv comm=5 source=0 tag=2");
    // A duplicate, and one communicator of both: odd ranks come last.
    for (int rank = 0; rank < 4; rank++) {
      int from = rank == 1 ? 6 : 5;
      rank(rank, "MPI_Comm_dup oldcomm=%d newcomm=7".formatted(from));
      rank(rank, "MPI_Intercomm_merge comm=7 high=%d newcomm=8".formatted(rank % 2));
    }
    rank(0, "MPI_Send comm=7 dest=1 tag=3", "MPI_Send comm=8 dest=2 tag=4");
    rank(3, "MPI_Recv comm=7 source=0 tag=3");
    rank(1, "MPI_Recv comm=8 source=0 tag=4");
    // Which side comes first is not told here.
    for (int rank = 0; rank < 4; rank++) {
      rank(rank, "MPI_Intercomm_merge comm=7 high=0 newcomm=9");
    }
    rank(0, "MPI_Send comm=9 dest=1 tag=5");
    ReplayResult result = run();
    assertThat(result.messages()).isEqualTo(4);
    assertThat(result.paired()).isEqualTo(4);
    assertThat(result.play(Engine.LIST).matched()).isEqualTo(4);
    assertThat(result.leftOut()).isEqualTo(1);
  }

  @Test
  void aRankWithoutAFileIsToldToBeTheReason() throws IOException {
    for (int rank = 0; rank < 3; rank++) {
      if (rank != 1) {
        rank(rank, "MPI_Comm_dup oldcomm=2 newcomm=4", "MPI_Send comm=4 dest=0 tag=9");
      }
    }
    rank(0, "MPI_Send dest=1 tag=1", "MPI_Send dest=1 tag=2", "MPI_Recv source=1 tag=3");
    rank(0, "MPI_Send dest=2 tag=1", "MPI_Recv source=-1 tag=4");
    rank(2, "MPI_Recv source=0 tag=1");
    ReplayResult result = run();
    assertThat(result.problems()).containsExactly("rank 1 of 3 has no file");
    assertThat(result.play(Engine.LIST).matched()).isEqualTo(1);
    assertThat(result.notes())
        .containsExactly(
            "2 sends and receives are left out, in communicators that cannot be followed without"
                + " rank 1",
            "rank 1 has no file: 2 messages to it are not played, 1 receive from it gets no"
                + " message",
            "1 receive of any source: no message is left for it, perhaps because of that");
  }

  @Test
  void aDamagedFileIsToldToBeTheReason() throws IOException {
    rank(0, "MPI_Send dest=1 tag=1", "MPI_Send dest=1 tag=2", "MPI_Recv source=1 tag=3");
    rank(1, "MPI_Recv source=0 tag=1", "MPI_Nothing tag=1", "MPI_Recv source=0 tag=2");
    ReplayResult result = run();
    assertThat(result.problems()).singleElement().asString().contains("MPI_Nothing");
    assertThat(result.notes())
        .containsExactly(
            "the file of rank 1 is not read to its end: 1 message to it is not received, 1 receive"
                + " from it gets no message");
  }

  @Test
  void whatIsWithoutPartnerForNoKnownReasonIsTold() throws IOException {
    rank(0, "MPI_Send dest=1 tag=1", "MPI_Send dest=1 tag=2", "MPI_Recv source=1 tag=3");
    rank(1, "MPI_Recv source=0 tag=1");
    assertThat(run().notes())
        .containsExactly(
            "1 receive of ranks that have a whole file: no message was sent",
            "1 message to ranks that have a whole file: no receive was posted");
  }

  @Test
  void clocksThatDoNotAgreeDoNotStopIt() throws IOException {
    for (int i = 0; i < 100; i++) {
      rank(0, "MPI_Send dest=1 tag=1", "MPI_Recv source=1 tag=2 status=4,1,0,0,2");
    }
    time = 0;
    for (int i = 0; i < 100; i++) {
      rank(1, "MPI_Recv source=0 tag=1 status=4,0,0,0,1", "MPI_Send dest=0 tag=2");
    }
    ReplayResult result = run();
    assertThat(result.play(Engine.LIST).asRecorded()).isEqualTo(200);
    assertThat(result.play(Engine.LIST).mostUnexpected()).isLessThanOrEqualTo(1);
  }

  @Test
  void whatCannotHaveBeenIsPlayedToItsEnd() throws IOException {
    rank(0, "MPI_Recv source=1 tag=1", "MPI_Comm_dup oldcomm=2 newcomm=4", "MPI_Send dest=1 tag=2");
    rank(1, "MPI_Recv source=0 tag=2", "MPI_Recv source=0 tag=9");
    ReplayResult result = run();
    assertThat(result.messages()).isEqualTo(1);
    assertThat(result.play(Engine.LIST).matched()).isEqualTo(1);
  }

  @Test
  void manyMessagesOnTheirWayAreNotInMemory() throws IOException {
    // Rank 1 ends late by its clock, so that all is sent before it begins.
    int many = 20_000;
    for (int i = 0; i < many; i++) {
      rank(0, "MPI_Send dest=1 tag=" + i % 7);
    }
    time += 1000;
    for (int i = 0; i < many; i++) {
      rank(1, "MPI_Recv source=0 tag=" + i % 7);
    }
    ReplayResult result = run();
    assertThat(result.paired()).isEqualTo(many);
    assertThat(result.play(Engine.LIST).asRecorded()).isEqualTo(many);
  }

  private ReplayResult run() throws IOException {
    return Replay.run(Traces.open(folder), ReplayOptions.DEFAULT, Progress.NONE);
  }

  /** Adds calls of a rank: a name, and arguments; each a nanosecond after the one before. */
  private void rank(int rank, String... calls) throws IOException {
    var lines = new StringBuilder();
    for (String call : calls) {
      String[] words = call.split(" ");
      lines.append("{\"call\":\"%s\",\"start\":%d,\"stop\":%d".formatted(words[0], time, time));
      time++;
      for (int i = 1; i < words.length; i++) {
        String[] pair = words[i].split("=");
        lines.append(
            ",\"%s\":%s".formatted(pair[0], isList(pair[0]) ? "[" + pair[1] + "]" : pair[1]));
      }
      lines.append("}\n");
    }
    Path file = folder.resolve("run-%04d.jsonl".formatted(rank));
    Files.writeString(
        file,
        lines,
        java.nio.file.StandardOpenOption.CREATE,
        java.nio.file.StandardOpenOption.APPEND);
  }

  private static boolean isList(String argument) {
    return switch (argument) {
      case "requests", "indices", "status", "statuses", "ranks", "dims", "remain_dims" -> true;
      default -> false;
    };
  }
}
