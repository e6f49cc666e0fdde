package org.lacis.bench;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Compiles a program in C that comes with this module. */
final class CompiledPeer {
  private static final long LIMIT_SECONDS = 60;

  private CompiledPeer() {}

  /** The program, compiled; throws with what the compiler said if it cannot be. */
  static Path compile(
      Processes processes,
      List<String> compiler,
      String source,
      Path folder,
      String name,
      String... more)
      throws SubjectException, InterruptedException {
    JavaSubjects.resource("conversation.h", folder);
    Path program = folder.resolve(name);
    List<String> command = new ArrayList<>(compiler);
    command.addAll(List.of("-std=gnu11", "-O2", "-w", "-pthread"));
    command.add(JavaSubjects.resource(source, folder).toString());
    command.addAll(List.of("-o", program.toString()));
    command.addAll(List.of(more));
    String said = output(processes, command, folder.resolve(name + ".compiler"));
    if (!Files.isExecutable(program)) {
      throw new SubjectException(name + " cannot be compiled: " + said);
    }
    return program;
  }

  /** What a command writes; an empty text if it does not end in time or cannot be started. */
  static String output(Processes processes, List<String> command, Path file)
      throws InterruptedException {
    try {
      Process process =
          processes.start(
              new ProcessBuilder(command)
                  .redirectErrorStream(true)
                  .redirectOutput(file.toFile())
                  .redirectInput(new File("/dev/null")));
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return "";
      }
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
