package org.lacis.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.replay.ReplayOptions;
import org.lacis.trace.report.Analysis;
import org.lacis.trace.report.Report;
import org.lacis.trace.report.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacis trace analyze}: what the matching of programs looks like. */
@Command(
    name = "analyze",
    description = "Shows what the matching of MPI programs looks like, and writes a report.",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:fine",
      "1:a trace is damaged or there is none; other traces are reported on",
      "2:the command line is wrong"
    })
final class TraceAnalyzeCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Mixin private TraceOptions options = new TraceOptions();

  @Mixin private ReplayChoice choice = new ReplayChoice();

  @Option(
      names = "--no-replay",
      description = "Look at each rank by itself only, which is quicker.")
  private boolean noReplay;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FOLDER",
      description = "Write report.html, report.json and tables there.")
  private @Nullable Path out;

  @Option(
      names = "--points",
      paramLabel = "FILE",
      description = "Write a table with a line per data point, of every rank, there.")
  private @Nullable Path points;

  @Parameters(arity = "1..*", paramLabel = "DIR", description = "Folders with traces.")
  private List<Path> paths = new ArrayList<>();

  @Override
  public Integer call() {
    PrintWriter terminal = spec.commandLine().getOut();
    try {
      ReplayOptions replay = choice.options(spec.commandLine());
      List<Analysis> analyses =
          options.analyse(paths, spec.commandLine(), noReplay ? null : replay, points);
      if (!analyses.isEmpty()) {
        terminal.print(Summary.of(analyses));
        if (out != null) {
          terminal.println("report: " + Report.write(analyses, out));
        }
      }
      terminal.flush();
      boolean good =
          analyses.size() == paths.size()
              && analyses.stream().allMatch(a -> a.profile().problems().isEmpty());
      return good ? 0 : TraceCommand.DAMAGED;
    } catch (IOException e) {
      return TraceCommand.explain(spec.commandLine(), e);
    }
  }
}
