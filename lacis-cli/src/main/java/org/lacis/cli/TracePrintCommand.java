package org.lacis.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Traces;
import org.lacis.trace.dumpi.DumpiFile;
import org.lacis.trace.dumpi.DumpiFormat;
import org.lacis.trace.dumpi.DumpiPrinter;
import org.lacis.trace.dumpi.DumpiSections;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacis trace print}: the calls of a trace as text. */
@Command(
    name = "print",
    description = "Prints the calls of a trace, as dumpi2ascii does.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:fine",
      "1:a file is damaged or not a trace; what precedes the damage is printed"
    })
final class TracePrintCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Option(
      names = {"-a", "--all"},
      description =
          "Of binary files also the header, the counts, and all lists, as dumpi2ascii -a.")
  private boolean all;

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description = "The file of a rank, or a folder for all of its ranks.")
  private List<Path> paths = new ArrayList<>();

  @Override
  public Integer call() {
    // Text is a byte per character, and should not be changed on the way.
    OutputStream out = System.out;
    try {
      for (Path path : paths) {
        for (RankTrace rank : Traces.open(path).ranks()) {
          print(rank, out);
        }
      }
    } catch (IOException e) {
      return TraceCommand.explain(spec.commandLine(), e);
    }
    return 0;
  }

  private void print(RankTrace rank, OutputStream out) throws IOException {
    if (all && DumpiFormat.isBinary(rank.file())) {
      try (var file = new DumpiFile(rank.file(), DumpiFormat.NEWEST)) {
        DumpiSections.printAll(file, out, ZoneId.systemDefault());
      }
      return;
    }
    var printer = new DumpiPrinter(out);
    try {
      rank.read(printer);
    } finally {
      printer.flush();
    }
  }
}
