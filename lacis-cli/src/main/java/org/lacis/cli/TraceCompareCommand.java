package org.lacis.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.lacis.trace.depth.TraceProfile;
import org.lacis.trace.report.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacis trace compare}: the numbers of two traces side by side. */
@Command(
    name = "compare",
    description = "Shows the numbers of two traces side by side, and how they differ.",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:fine",
      "1:a trace is damaged or there is none",
      "2:the command line is wrong"
    })
final class TraceCompareCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Mixin private TraceOptions options = new TraceOptions();

  @Parameters(index = "0", paramLabel = "A", description = "A folder with a trace.")
  @SuppressWarnings("NullAway.Init") // by picocli
  private Path first;

  @Parameters(index = "1", paramLabel = "B", description = "Another one.")
  @SuppressWarnings("NullAway.Init") // by picocli
  private Path second;

  @Override
  public Integer call() {
    try {
      List<TraceProfile> both = options.analyse(List.of(first, second), spec.commandLine());
      if (both.size() < 2) {
        return TraceCommand.DAMAGED;
      }
      spec.commandLine().getOut().print(Summary.compare(both.get(0), both.get(1)));
      spec.commandLine().getOut().flush();
      return both.stream().allMatch(p -> p.problems().isEmpty()) ? 0 : TraceCommand.DAMAGED;
    } catch (IOException e) {
      return TraceCommand.explain(spec.commandLine(), e);
    }
  }
}
