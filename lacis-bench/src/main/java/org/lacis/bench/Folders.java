package org.lacis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Folders for what is there for a while only. */
final class Folders {
  private Folders() {}

  /** Deletes a file, or a folder with all that is in it; what cannot be deleted stays. */
  static void delete(Path file) {
    if (!Files.exists(file)) {
      return;
    }
    try (Stream<Path> files = Files.walk(file)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      // In the way of nobody: its name is unique.
    }
  }
}
