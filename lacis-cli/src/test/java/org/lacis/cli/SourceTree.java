package org.lacis.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The modules of this checkout, for tests that look at all of them. */
final class SourceTree {
  private SourceTree() {}

  /** The folders of the modules, in the order of their names. */
  static List<Path> modules() {
    try (var folders = Files.list(root())) {
      return folders
          .filter(folder -> folder.getFileName().toString().startsWith("lacis-"))
          .filter(folder -> Files.exists(folder.resolve("pom.xml")))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The folder of the checkout. */
  static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("lacis-core"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("not run from within a checkout of Lacis");
      }
    }
    return folder;
  }
}
