package org.lacis.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobFilesTest {
  @Test
  void theFilesOfAJobAreRemovedAndNoOthers() throws IOException {
    String job = new SingleBoot().jobId();
    String other = new SingleBoot().jobId();
    Path folder = Path.of(System.getProperty("java.io.tmpdir"));
    Path tree = Files.createDirectories(folder.resolve("lacis-" + job + "-tree/a/b"));
    Files.writeString(tree.resolve("file"), "x");
    Path target = Files.createTempFile("target", "");
    Files.createSymbolicLink(tree.resolve("link"), target);
    Path foreign = Files.createFile(folder.resolve("lacis-" + other));
    try {
      JobFiles.remove(job);
      assertThat(folder.resolve("lacis-" + job + "-tree")).doesNotExist();
      assertThat(target).exists();
      assertThat(foreign).exists();
    } finally {
      Files.delete(foreign);
      Files.delete(target);
    }
  }

  @Test
  void oldFilesOfSharedMemoryAreRemovedAndNoOthers(@TempDir Path folder) throws IOException {
    String job = new SingleBoot().jobId();
    Path old = Files.createFile(folder.resolve("lacis-" + job + "-3"));
    Path young = Files.createFile(folder.resolve("lacis-" + job + "-4"));
    Path other = Files.createFile(folder.resolve("lacis-" + job + "-3-notes"));
    FileTime yesterday = FileTime.from(Instant.now().minus(Duration.ofDays(1)));
    Files.setLastModifiedTime(old, yesterday);
    Files.setLastModifiedTime(other, yesterday);
    JobFiles.removeOld(folder);
    assertThat(old).doesNotExist();
    assertThat(young).exists();
    assertThat(other).exists();
    JobFiles.removeOld(folder.resolve("absent"));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "abc",
        "../../../../../../../../etc/passw",
        "ABABABABABABABABABABABABABABABAB"
      })
  void whatIsNotAnIdRemovesNothing(String id) {
    assertThat(JobFiles.isJobId(id)).isFalse();
    JobFiles.remove(id);
  }

  @Test
  void aJobWithoutProcessesHasNone() {
    assertThat(JobProcesses.find(new SingleBoot().jobId())).isEmpty();
    assertThat(JobProcesses.find("")).isEmpty();
  }
}
