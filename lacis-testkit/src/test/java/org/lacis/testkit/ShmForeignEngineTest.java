package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.ErrorKind;
import org.lacis.Lacis;
import org.lacis.MatchingEngine;
import org.lacis.MatchingHints;
import org.lacis.MatchingOptions;

/** Ranks that make an engine of different kinds are told so. */
class ShmForeignEngineTest {
  private static final int TAG = 77;

  private static MatchingOptions options(String kind) {
    return switch (kind) {
      case "hash" -> MatchingOptions.defaults().withBuckets(16);
      case "list" -> MatchingOptions.list();
      case "ordered" -> MatchingOptions.ordered();
      case "sourced" -> MatchingOptions.ordered().hints(MatchingHints.NONE.withNoAnySource());
      case "tagged" -> MatchingOptions.ordered().hints(MatchingHints.NONE.withNoAnyTag());
      default -> MatchingOptions.ordered().hints(MatchingHints.NONE.withAllowOvertaking());
    };
  }

  private static String described(String kind) {
    return kind.equals("hash") ? "not ordered" : "ordered, " + options(kind).hints();
  }

  private static void send(Job job, int from, MatchingEngine engine) {
    job.rank(from)
        .send()
        .to(1)
        .tag(TAG)
        .buffer(Talk.memory(8))
        .matching(engine)
        .postBlocking(Completion.NONE);
  }

  /** Whether or not its receive waits, and once for each rank and engine. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "hash ordered",
        "hash list",
        "ordered hash",
        "list hash",
        "overtaking ordered",
        "ordered overtaking",
        "sourced ordered",
        "list tagged"
      })
  void messagesOfAnotherKindOfEngineAreWarnedOfOnce(String kinds) {
    String sender = kinds.split(" ")[0];
    String receiver = kinds.split(" ")[1];
    try (LacisLog log = new LacisLog();
        Job job = ShmJobs.open(3, Job.OPTIONS)) {
      job.leaveUnfinished();
      for (int k = 1; k <= 2; k++) {
        List<MatchingEngine> engines =
            List.of(
                engine(job.rank(0), sender),
                engine(job.rank(1), receiver),
                engine(job.rank(2), sender));
        if (k == 1) {
          job.rank(1)
              .recv()
              .from(0)
              .tag(TAG)
              .buffer(Talk.memory(8))
              .matching(engines.get(1))
              .postBlocking(Witness.handler().completion());
        }
        for (int from : new int[] {0, 2, 0, 2}) {
          send(job, from, engines.get(from));
        }
        int warnings = 2 * k;
        job.until("a warning for each", () -> log.messages().size() >= warnings);
        // What comes behind them is there.
        Talk.check(job, 0, 1);
        Talk.check(job, 2, 1);
        assertThat(log.messages()).hasSize(warnings);
      }
      assertThat(log.messages().getFirst())
          .contains("rank 1 drops what rank 0 sends", "mine", "tag " + TAG)
          .contains(", " + described(receiver) + ")", "engine is " + described(sender) + ".");
      assertThat(log.messages()).filteredOn(line -> line.contains("what rank 2 sends")).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hash ordered", "ordered hash", "tagged ordered"})
  void aLongMessageFails(String kinds) {
    try (LacisLog log = new LacisLog();
        Job job = ShmJobs.open(2, Job.OPTIONS)) {
      job.leaveUnfinished();
      MatchingEngine here = engine(job.rank(0), kinds.split(" ")[0]);
      engine(job.rank(1), kinds.split(" ")[1]);
      Witness sent = Witness.handler();
      job.rank(0)
          .send()
          .to(1)
          .tag(TAG)
          .buffer(Talk.memory(job.rank(0).eagerLimit() + 1))
          .matching(here)
          .postBlocking(sent.completion());
      job.until("the end of the send", sent::heard);
      assertThat(sent.told().error())
          .isNotNull()
          .extracting(CommunicationException::kind)
          .isEqualTo(ErrorKind.CLOSED);
      assertThat(log.messages()).singleElement().asString().contains("drops what rank 0");
    }
  }

  /** The same kind with other tables is none. */
  @ParameterizedTest
  @ValueSource(strings = {"list ordered", "ordered list"})
  void listsAndTablesGoTogether(String kinds) {
    try (LacisLog log = new LacisLog();
        Job job = ShmJobs.open(2, Job.OPTIONS)) {
      List<MatchingEngine> engines =
          List.of(
              engine(job.rank(0), kinds.split(" ")[0]), engine(job.rank(1), kinds.split(" ")[1]));
      Witness received = Witness.handler();
      job.rank(0)
          .send()
          .to(1)
          .tag(TAG)
          .buffer(Talk.memory(8))
          .matching(engines.get(0))
          .postBlocking(Completion.NONE);
      job.rank(1)
          .recv()
          .from(0)
          .tag(TAG)
          .buffer(Talk.memory(8))
          .matching(engines.get(1))
          .postBlocking(received.completion());
      job.until("the message", received::heard);
      assertThat(log.messages()).isEmpty();
    }
  }

  private static MatchingEngine engine(Lacis rank, String kind) {
    return rank.newMatchingEngine("mine", options(kind));
  }
}
