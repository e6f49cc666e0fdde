package org.lacis.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Trace;
import org.lacis.trace.Traces;
import org.lacis.trace.events.EventWriter;
import org.lacis.trace.events.FlightEvents;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacis trace convert}: makes events of flight recordings, or of a trace. */
@Command(
    name = "convert",
    description =
        "Makes a trace of recordings of the Flight Recorder, or of a trace of another format.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:fine",
      "1:a file is damaged, or has no such events",
      "2:the command line is wrong"
    })
final class TraceConvertCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Option(
      names = {"-o", "--out"},
      required = true,
      paramLabel = "FOLDER",
      description = "Where the trace is to be.")
  @SuppressWarnings("NullAway.Init") // by picocli
  private Path out;

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description = "Recordings (.jfr), of one or more ranks each; or the folder of one trace.")
  private List<Path> paths = new ArrayList<>();

  @Override
  public Integer call() {
    PrintWriter terminal = spec.commandLine().getOut();
    try {
      if (paths.stream().allMatch(path -> path.toString().endsWith(".jfr"))) {
        FlightEvents.Converted result = FlightEvents.convert(paths, out);
        terminal.printf("%,d calls in %s%n", result.calls(), out);
        tellMissing(terminal, result.others(), "posts that are neither sends nor receives");
        tellMissing(terminal, result.unposted(), "messages that no receive was posted for");
        result.silent().forEach(file -> terminal.printf("no events of Lacis in %s%n", file));
      } else if (paths.size() > 1) {
        throw new ParameterException(
            spec.commandLine(), "of traces that are no .jfr files, one at a time is converted");
      } else {
        Trace trace = Traces.open(paths.getFirst());
        Files.createDirectories(out);
        for (RankTrace rank : trace.ranks()) {
          try (var writer = EventWriter.open(out, trace.name(), rank.rank())) {
            rank.read(writer);
          }
        }
        terminal.printf("%,d ranks in %s%n", trace.ranks().size(), out);
      }
      terminal.flush();
      return 0;
    } catch (IOException e) {
      return TraceCommand.explain(spec.commandLine(), e);
    }
  }

  private static void tellMissing(PrintWriter terminal, long number, String what) {
    if (number > 0) {
      terminal.printf("not in it: %,d %s%n", number, what);
    }
  }
}
