package org.lacis.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.testkit.Await;

class ProcessesTest {
  private final Processes processes = new Processes();

  @TempDir Path folder;

  @Test
  void nothingIsStartedAfterTheEnd() throws Exception {
    Path file = folder.resolve("started");
    processes.goOn();
    processes.end();
    assertThatThrownBy(() -> processes.start(new ProcessBuilder("touch", file.toString())))
        .isInstanceOf(InterruptedException.class);
    assertThatThrownBy(processes::goOn).isInstanceOf(InterruptedException.class);
    assertThat(file).doesNotExist();
  }

  @Test
  void aSubjectIsNotPreparedAfterTheEnd() throws Exception {
    var subject = Fakes.subject("late", Family.MPI);
    try (var coordinator = new Coordinator(folder, processes)) {
      processes.end();
      assertThatThrownBy(() -> coordinator.start(subject, new Setup(2, Placement.FREE, false)))
          .isInstanceOf(InterruptedException.class);
      assertThat(coordinator.expects("late-0")).isFalse();
    }
  }

  @Test
  void onlyWhatAProcessHasLeftIsRemoved() throws Exception {
    Instant start = Instant.now();
    for (String name : List.of("4711:0:0", "4711:1:12", "47110:0:0", "4711:0", "4711:0:0.x")) {
      Files.createFile(folder.resolve(name));
    }
    Path older = Files.createFile(folder.resolve("4711:2:0"));
    Files.setLastModifiedTime(older, FileTime.from(start.minusSeconds(60)));
    Folders.deleteRegions(folder, 4711, start);
    try (var left = Files.list(folder)) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("47110:0:0", "4711:0", "4711:0:0.x", "4711:2:0");
    }
  }

  @Test
  void whoIsDeafAndHasLostItsParentIsKilled() throws Exception {
    Path file = folder.resolve("pid");
    String deaf = "trap '' TERM INT; echo $$ > " + file + "; while :; do sleep 1; done";
    Process parent = processes.start(new ProcessBuilder("sh", "-c", "sh -c \"$0\" &", deaf));
    assertThat(parent.waitFor()).isZero();
    Await.until("that it has said who it is", () -> file.toFile().length() > 1);
    ProcessHandle orphan =
        ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).orElseThrow();
    Process stranger = new ProcessBuilder(List.of("sleep", "60")).start();
    try {
      processes.end();
      Await.until("that somebody has taken note of its end", () -> !orphan.isAlive());
      assertThat(stranger.isAlive()).isTrue();
    } finally {
      stranger.destroyForcibly();
      orphan.destroyForcibly();
    }
  }
}
