package org.lacis.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.lacis.trace.Traces;
import org.lacis.trace.replay.Replay;
import org.lacis.trace.replay.ReplayOptions;
import org.lacis.trace.replay.ReplayResult;
import org.lacis.trace.report.Replays;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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

  @Mixin private ReplayChoice choice = new ReplayChoice();

  @Parameters(arity = "1..*", paramLabel = "DIR", description = "Folders with traces.")
  private List<Path> paths = new ArrayList<>();

  @Override
  public Integer call() {
    int code = 0;
    PrintWriter out = spec.commandLine().getOut();
    ReplayOptions options = choice.options(spec.commandLine());
    for (Path path : paths) {
      try {
        var trace = Traces.open(path);
        ReplayResult result =
            Replay.run(trace, options, ProgressBar.on(spec.commandLine().getErr(), trace.name()));
        out.println(trace.name() + ":");
        out.print(Replays.table(result));
        result.problems().forEach(problem -> out.println("  wrong: " + problem));
        code = result.problems().isEmpty() ? code : TraceCommand.DAMAGED;
      } catch (IOException e) {
        code = TraceCommand.explain(spec.commandLine(), e);
      }
    }
    out.flush();
    return code;
  }
}
