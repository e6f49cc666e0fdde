package org.lacis.bench.subject;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A rank's side of the conversation with the benchmark, over the loopback:
 *
 * <pre>
 *   rank       hello SECRET SUBJECT RANK
 *   benchmark  run VERB COUNT NAME=VALUE…
 *   rank       ok NANOSECONDS gc=COLLECTIONS jit=MILLISECONDS NAME=VALUE…   or   none   or   error TEXT
 *   benchmark  quit
 * </pre>
 *
 * Between two commands the rank waits in a read, and so takes nothing from others that are
 * measured. A conversation that is cut off ends the rank.
 */
public final class Conversation {
  private Conversation() {}

  /**
   * Answers commands until there are no more.
   *
   * @param rank which rank this is
   * @param works makes what carries out a command, which is kept for others like it; null if it
   *     does not know the verb
   */
  public static void serve(int rank, Function<Command, @Nullable Work> works) throws IOException {
    int port = Integer.parseInt(variable("BENCH_PORT"));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      var in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      var out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
      out.println(
          "hello " + variable("BENCH_SECRET") + " " + variable("BENCH_SUBJECT") + " " + rank);
      Map<String, @Nullable Work> made = new HashMap<>();
      String line;
      while ((line = in.readLine()) != null && !line.equals("quit")) {
        out.println(answer(line, made, works));
      }
    }
  }

  private static String answer(
      String line, Map<String, @Nullable Work> made, Function<Command, @Nullable Work> works) {
    try {
      Command command = Command.parse(line);
      Work work = made.get(command.key());
      if (work == null) {
        work = works.apply(command);
        if (work == null) {
          return "none";
        }
        made.put(command.key(), work);
        // What was made and loaded until now need not be collected while the work is measured.
        System.gc();
      }
      long collections = collections();
      long compiled = compiled();
      Timing timing = work.run(command);
      String more = timing.more().isEmpty() ? "" : " " + timing.more();
      return "ok %d gc=%d jit=%d%s"
          .formatted(timing.nanos(), collections() - collections, compiled() - compiled, more);
    } catch (Exception e) {
      return "error " + e.toString().replaceAll("\\s+", " ");
    }
  }

  private static long collections() {
    long count = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      count += Math.max(0, collector.getCollectionCount());
    }
    return count;
  }

  /** Milliseconds that the compilers of this JVM have worked. */
  private static long compiled() {
    var compilers = ManagementFactory.getCompilationMXBean();
    return compilers != null && compilers.isCompilationTimeMonitoringSupported()
        ? compilers.getTotalCompilationTime()
        : 0;
  }

  private static String variable(String name) {
    return Objects.requireNonNull(
        System.getenv(name), () -> name + " is not set: lacis bench starts this program");
  }
}
