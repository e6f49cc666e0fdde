package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.Lacis;
import org.lacis.Packet;
import org.lacis.Post;
import org.lacis.collective.Collectives;
import org.lacis.collective.Reduction;

/** What the Flight Recorder is told. */
class ShmEventsTest {

  @TempDir Path folder;

  private List<RecordedEvent> record(Runnable action, String... names) throws IOException {
    Path file = folder.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      for (String name : names) {
        recording.enable("org.lacis." + name);
      }
      recording.start();
      action.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith("org.lacis."))
        .toList();
  }

  private static List<RecordedEvent> of(List<RecordedEvent> events, String name) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("org.lacis." + name))
        .toList();
  }

  @Test
  void aMessageLeavesItsTracks() throws IOException {
    try (Job job = ShmJobs.open(2, Job.OPTIONS)) {
      List<RecordedEvent> events =
          record(() -> Talk.check(job, 0, 1), "Post", "Protocol", "Match", "Progress");
      assertThat(of(events, "Post"))
          .filteredOn(event -> event.getString("kind").equals("send"))
          .filteredOn(event -> event.getInt("ownRank") == 0)
          .filteredOn(event -> !event.getString("answer").startsWith("RETRY"))
          .extracting(event -> event.getLong("bytes"))
          .containsExactlyElementsOf(
              Talk.sizes(job.rank(0)).stream().map(Integer::longValue).toList());
      assertThat(of(events, "Protocol"))
          .filteredOn(event -> event.getInt("ownRank") == 0)
          .extracting(event -> event.getString("protocol"))
          .contains("inject", "buffer-copy", "zero-copy");
      assertThat(of(events, "Match")).hasSize(6);
      assertThat(of(events, "Match")).allMatch(event -> event.getInt("tag") == Lacis.MAX_TAG);
      assertThat(of(events, "Progress")).allMatch(event -> event.getInt("work") > 0).isNotEmpty();
    }
  }

  @Test
  void retriesAndTheBacklogAreRecorded() throws IOException {
    try (Job job = ShmJobs.open(2, Job.OPTIONS)) {
      Lacis here = job.rank(0);
      var target = here.register(Completion.NONE);
      job.rank(1).register(Completion.NONE);
      var message = Talk.memory(8);
      List<RecordedEvent> events =
          record(
              () -> {
                Talk.flood(() -> here.am(1, message, 0, target, Completion.NONE));
                here.am()
                    .to(1)
                    .buffer(message)
                    .target(target)
                    .allowRetry(false)
                    .post(Completion.NONE);
              },
              "Retry",
              "Backlog");
      assertThat(of(events, "Retry"))
          .isNotEmpty()
          .allMatch(event -> event.getInt("peer") == 1)
          .allMatch(event -> Post.valueOf(event.getString("reason")).isRetry());
      assertThat(of(events, "Backlog")).singleElement().matches(e -> e.getInt("length") == 1);
    }
  }

  @Test
  void listsAndPacketsHaveProtocolsToo() throws IOException {
    try (Job job = ShmJobs.open(2, Job.OPTIONS)) {
      job.leaveUnfinished();
      Lacis here = job.rank(0);
      BufferList parts = BufferList.of(Talk.memory(10), Talk.memory(20));
      BufferList longOnes = BufferList.of(Talk.memory(here.eagerLimit()), Talk.memory(20));
      List<RecordedEvent> events =
          record(
              () -> {
                here.send().to(1).buffers(parts).post(Completion.NONE);
                here.send().to(1).buffers(longOnes).post(Completion.NONE);
                Packet packet = Objects.requireNonNull(here.packetPool().get());
                here.send().to(1).packet(packet, 7).post(Completion.NONE);
                here.send().to(1).buffer(Talk.memory(3)).synchronous(true).post(Completion.NONE);
              },
              "Protocol");
      assertThat(events)
          .extracting(event -> event.getString("protocol") + " " + event.getLong("bytes"))
          .containsExactly(
              "buffer-copy 30", "zero-copy " + (here.eagerLimit() + 20), "packet 7", "zero-copy 3");
    }
  }

  @Test
  void failuresAreRecorded() throws IOException {
    try (Job job = ShmJobs.open(2, Job.OPTIONS)) {
      Witness tooShort = Witness.handler();
      Witness never = Witness.handler();
      List<RecordedEvent> events =
          record(
              () -> {
                Lacis here = job.rank(0);
                here.recv(1, Talk.memory(5), 1, tooShort.completion());
                here.recv(1, Talk.memory(5), 2, never.completion());
                job.rank(1).send(0, Talk.memory(10), 1, Completion.NONE);
                job.until("a message that is too long", tooShort::heard);
                job.close(1);
                job.until("the end of its sender", never::heard);
              },
              "Failure",
              "PeerGone");
      assertThat(of(events, "Failure"))
          .filteredOn(event -> event.getInt("ownRank") == 0)
          .extracting(event -> event.getString("kind") + " " + event.getInt("tag"))
          .containsExactly("TRUNCATED 1", "PEER_GONE 2");
      assertThat(of(events, "PeerGone"))
          .filteredOn(event -> event.getInt("ownRank") == 0)
          .singleElement()
          .matches(event -> event.getInt("peer") == 1);
    }
  }

  @Test
  void runsOfCollectivesAreRecorded() throws IOException {
    try (Job job = ShmJobs.open(3, Job.OPTIONS)) {
      List<Collectives> all = job.together("collectives", Collectives::of);
      List<RecordedEvent> events =
          record(
              () ->
                  job.together(
                      "an allreduce",
                      lacis -> {
                        MemorySegment numbers = MemorySegment.ofArray(new long[2]);
                        Collectives mine = all.get(lacis.rank());
                        var sum = mine.newAllreduce(numbers, numbers, Reduction.SUM_LONG);
                        var done = lacis.newSynchronizer();
                        sum.start(done);
                        done.await();
                        assertThat(sum.info().value("bytes")).isEqualTo(16L);
                        return lacis;
                      }),
              "Collective");
      assertThat(events)
          .extracting(event -> event.getInt("ownRank"))
          .containsExactlyInAnyOrder(0, 1, 2);
      assertThat(events)
          .allMatch(event -> event.getString("kind").equals("allreduce"))
          .allMatch(event -> !event.getString("algorithm").isEmpty())
          .allMatch(event -> event.getLong("bytes") == 16)
          .allMatch(event -> event.getInt("size") == 3)
          .allMatch(event -> event.getString("failure") == null);
      assertThat(all.getFirst().info().value("members")).isEqualTo(3);
      all.forEach(Collectives::close);
    }
  }

  @Test
  void nothingIsRecordedUnlessAskedFor() throws IOException {
    try (Job job = ShmJobs.open(2, Job.OPTIONS)) {
      assertThat(record(() -> Talk.check(job, 0, 1))).isEmpty();
    }
  }
}
