package org.lacis.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.lacis.trace.CallType;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Trace;
import org.lacis.trace.TraceException;
import org.lacis.trace.Traces;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacis trace info}: what is in a trace, and whether it can be read. */
@Command(
    name = "info",
    description = "Shows what is in a trace, and whether all of it can be read.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:fine", "1:a file is damaged or missing, or there is no trace"})
final class TraceInfoCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "PATH", description = "Folders with traces.")
  private List<Path> paths = new ArrayList<>();

  @Override
  public Integer call() {
    int code = 0;
    for (Path path : paths) {
      try {
        code = Math.max(code, show(Traces.open(path), spec.commandLine().getOut()));
      } catch (IOException e) {
        code = TraceCommand.explain(spec.commandLine(), e);
      }
    }
    return code;
  }

  private static int show(Trace trace, PrintWriter out) throws IOException {
    List<String> problems = new ArrayList<>(trace.warnings());
    var counts = new long[CallType.COUNT];
    long bytes = 0;
    long longest = 0;
    for (RankTrace rank : trace.ranks()) {
      bytes += Files.size(rank.file());
      var times = new long[] {Long.MAX_VALUE, Long.MIN_VALUE};
      try {
        rank.read(
            call -> {
              counts[call.type().id()]++;
              times[0] = Math.min(times[0], call.wallStart());
              times[1] = Math.max(times[1], call.wallStop());
            });
      } catch (TraceException e) {
        problems.add(e.getMessage());
      }
      longest = Math.max(longest, times[1] - times[0]);
    }
    out.printf("%s: %s, %,d ranks, %,d bytes%n", trace.name(), trace.format(), trace.size(), bytes);
    trace.properties().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> out.printf("  %-14s %s%n", entry.getKey(), shown(entry)));
    out.printf("  %-14s %.6f s, of the rank that took longest%n", "time", longest / 1e9);
    out.printf("  %-14s %,d%n", "calls", LongStream.of(counts).sum());
    IntStream.range(0, counts.length)
        .boxed()
        .filter(id -> counts[id] > 0)
        .sorted(Comparator.comparingLong((Integer id) -> counts[id]).reversed())
        .forEach(id -> out.printf("    %-26s %,12d%n", CallType.of(id), counts[id]));
    problems.forEach(problem -> out.println("  wrong: " + problem));
    out.flush();
    return problems.isEmpty() ? 0 : TraceCommand.DAMAGED;
  }

  private static String shown(Map.Entry<String, String> property) {
    String value = property.getValue();
    return property.getKey().equals("startime") && value.matches("\\d{1,12}")
        ? value + " (" + Instant.ofEpochSecond(Long.parseLong(value)) + ")"
        : value;
  }
}
