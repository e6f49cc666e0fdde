package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** What tests need to start programs with the launchers of others. */
final class ForeignPrograms {
  private ForeignPrograms() {}

  /** Compiles the programs of the runtime's tests, once for all ranks and tests. */
  static void compile(Path classes) {
    List<String> command = new ArrayList<>(List.of("-nowarn", "-d", classes.toString(), "-cp"));
    command.add(LauncherLibrary.classPath());
    for (String name : List.of("AllToAll", "Traffic", "Greets", "NeverOpens", "Stays")) {
      command.add(LauncherRun.program("runtime/" + name + ".java"));
    }
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, command.toArray(String[]::new)))
        .isZero();
  }

  /** The first of these commands that is on the PATH; null if none is. */
  static @Nullable String find(String... names) throws IOException {
    for (String name : names) {
      for (String folder : System.getenv("PATH").split(File.pathSeparator, -1)) {
        Path file = Path.of(folder, name);
        if (Files.isExecutable(file)) {
          return file.toString();
        }
      }
    }
    return null;
  }
}
