package org.lacis.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.depth.TraceProfile;
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

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FOLDER",
      description = "Write report.html, report.json and tables there.")
  private @Nullable Path out;

  @Parameters(arity = "1..*", paramLabel = "DIR", description = "Folders with traces.")
  private List<Path> paths = new ArrayList<>();

  @Override
  public Integer call() {
    PrintWriter terminal = spec.commandLine().getOut();
    try {
      List<TraceProfile> profiles = options.analyse(paths, spec.commandLine());
      if (!profiles.isEmpty()) {
        terminal.print(Summary.of(profiles));
        if (out != null) {
          terminal.println("report: " + Report.write(profiles, out));
        }
      }
      terminal.flush();
      boolean good =
          profiles.size() == paths.size()
              && profiles.stream().allMatch(profile -> profile.problems().isEmpty());
      return good ? 0 : TraceCommand.DAMAGED;
    } catch (IOException e) {
      return TraceCommand.explain(spec.commandLine(), e);
    }
  }
}
