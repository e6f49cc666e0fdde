package org.lacis.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Folders for what is there for a while only. */
final class Folders {
  static final Path SHARED_MEMORY = Path.of("/dev/shm");

  private static final Pattern REGION = Pattern.compile("\\d+:\\d+:\\d+");

  private Folders() {}

  /** A new folder in shared memory, if there is any. */
  static Path inSharedMemory() throws IOException {
    return Files.isWritable(SHARED_MEMORY)
        ? Files.createTempDirectory(SHARED_MEMORY, "lacis-bench-")
        : Files.createTempDirectory("lacis-bench-");
  }

  /**
   * Deletes what libfabric's shm provider leaves of a process that is killed. It names its regions
   * after the process: 4711:0:0.
   *
   * @param folder where they are
   * @param pid a process that has ended
   * @param start when it began; what is older was of another one with that number
   */
  static void deleteRegions(Path folder, long pid, Instant start) {
    Instant oldest = start.minusSeconds(1); // the system counts starts in ticks
    try (var files = Files.newDirectoryStream(folder, pid + ":*")) {
      for (Path file : files) {
        if (REGION.matcher(file.getFileName() + "").matches()
            && Files.getLastModifiedTime(file).toInstant().isAfter(oldest)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // There is no shared memory that has names, or it is of another user.
    }
  }

  /** Deletes a file, or a folder with all that is in it; what cannot be deleted stays. */
  static void delete(Path file) {
    if (!Files.exists(file)) {
      return;
    }
    try (Stream<Path> files = Files.walk(file)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) {
      // In the way of nobody: its name is unique.
    }
  }
}
