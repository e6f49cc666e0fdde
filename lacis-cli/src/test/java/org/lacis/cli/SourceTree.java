package org.lacis.cli;

import com.sun.source.util.JavacTask;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.ToolProvider;

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

  /** What reads Java files without compiling them. */
  static JavacTask parser(List<File> files) {
    var compiler = ToolProvider.getSystemJavaCompiler();
    var manager = compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
    return (JavacTask)
        compiler.getTask(
            null, manager, null, null, null, manager.getJavaFileObjectsFromFiles(files));
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
