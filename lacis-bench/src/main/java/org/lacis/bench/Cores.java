package org.lacis.bench;

import java.io.File;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What there is to run on, and what is on the PATH. */
final class Cores {
  private Cores() {}

  static int count() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Options of {@code lacis run} for a placement. */
  static List<String> bind(Setup setup) {
    if (onPath("taskset").isEmpty()) {
      return List.of();
    }
    return switch (setup.placement()) {
      case FREE -> List.of();
      case ONE_CORE -> List.of("--bind", "0");
      case PINNED ->
          setup.ranks() > count()
              ? List.of()
              : List.of(
                  "--bind",
                  IntStream.range(0, setup.ranks())
                      .mapToObj(Integer::toString)
                      .collect(Collectors.joining(",")));
    };
  }

  /** Words before a command that keep all it starts on one core; none if that cannot be done. */
  static List<String> oneCore(Setup setup) {
    List<String> taskset = onPath("taskset");
    List<String> words = new ArrayList<>();
    if (setup.placement() == Placement.ONE_CORE && !taskset.isEmpty()) {
      words.addAll(taskset);
      words.addAll(List.of("-c", "0"));
    }
    return words;
  }

  /** A port for UDP that nobody uses now. */
  static int freePort() throws SubjectException {
    try (var socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (SocketException e) {
      throw new SubjectException("no port is free: " + e.getMessage(), e);
    }
  }

  /** The file of a program on the PATH, in a list of one; an empty list if there is none. */
  static List<String> onPath(String program) {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      File file = new File(folder, program);
      if (!folder.isEmpty() && file.isFile() && file.canExecute()) {
        return List.of(file.getPath());
      }
    }
    return List.of();
  }
}
