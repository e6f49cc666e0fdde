package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.Completion;
import org.lacis.Lacis;
import org.lacis.Post;

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
  void nothingIsRecordedUnlessAskedFor() throws IOException {
    try (Job job = ShmJobs.open(2, Job.OPTIONS)) {
      assertThat(record(() -> Talk.check(job, 0, 1))).isEmpty();
    }
  }
}
