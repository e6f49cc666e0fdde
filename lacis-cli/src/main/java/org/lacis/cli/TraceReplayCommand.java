package org.lacis.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.Traces;
import org.lacis.trace.replay.Arrivals;
import org.lacis.trace.replay.Engine;
import org.lacis.trace.replay.Replay;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacis trace replay}: plays a run again with the matching engines of Lacis. */
@Command(
    name = "replay",
    description = "Plays runs again with the matching engines of Lacis, and shows their queues.",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:fine",
      "1:a trace is damaged or there is none; what can be read is played",
      "2:the command line is wrong"
    })
final class TraceReplayCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Option(
      names = "--block",
      paramLabel = "N",
      description = "How many messages the engine blocks matches at once (default: 32).")
  private int block = 32;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "How many threads match a block (default: 2).")
  private int threads = 2;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description =
          "Messages take times drawn at random, instead of those the trace suggests; the same seed"
              + " gives the same run.")
  private @Nullable Long seed;

  @Option(
      names = "--latency",
      paramLabel = "NANOS",
      description = "With --seed: how long a message takes at least (default: 1000).")
  private long latency = 1000;

  @Option(
      names = "--jitter",
      paramLabel = "NANOS",
      description = "With --seed: how much longer it may take (default: 5000).")
  private long jitter = 5000;

  @Parameters(arity = "1..*", paramLabel = "DIR", description = "Folders with traces.")
  private List<Path> paths = new ArrayList<>();

  @Override
  public Integer call() {
    int code = 0;
    PrintWriter out = spec.commandLine().getOut();
    for (Path path : paths) {
      try {
        Arrivals arrivals =
            seed == null ? new Arrivals.Times() : new Arrivals.Model(seed, latency, jitter);
        var trace = Traces.open(path);
        Replay replay = Replay.of(trace, arrivals);
        List<Replay.Result> results = new ArrayList<>();
        for (Engine engine : Engine.values()) {
          results.add(replay.play(engine, block, threads));
        }
        show(trace.name(), results, out);
        code = results.getFirst().problems().isEmpty() ? code : TraceCommand.DAMAGED;
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      } catch (IOException e) {
        code = TraceCommand.explain(spec.commandLine(), e);
      }
    }
    out.flush();
    return code;
  }

  private static void show(String name, List<Replay.Result> results, PrintWriter out) {
    Replay.Result first = results.getFirst();
    out.printf(
        "%s: %,d messages, %,d receives, %,d paired by the trace%n",
        name, first.messages(), first.receives(), first.paired());
    if (first.leftOut() > 0) {
      out.printf(
          "  %,d sends and receives are left out, in communicators that cannot be followed%n",
          first.leftOut());
    }
    out.printf(
        "  %-8s %10s %12s %12s %10s %12s %10s %10s %10s%n",
        "engine",
        "matched",
        "unexpected",
        "as recorded",
        "posted",
        "unexp. queue",
        "conflicts",
        "fast path",
        "slow path");
    for (Replay.Result r : results) {
      out.printf(
          "  %-8s %,10d %11.1f%% %12s %,10d %,12d %,10d %,10d %,10d%n",
          r.engine(),
          r.matched(),
          100.0 * r.unexpected() / Math.max(r.matched(), 1),
          r.paired() == 0 ? "-" : "%.1f%%".formatted(100.0 * r.asRecorded() / r.paired()),
          r.mostPosted(),
          r.mostUnexpected(),
          r.counts().conflicts(),
          r.counts().fastPath(),
          r.counts().slowPath());
    }
    first.problems().forEach(problem -> out.println("  wrong: " + problem));
  }
}
