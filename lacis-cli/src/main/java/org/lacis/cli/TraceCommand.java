package org.lacis.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import org.lacis.trace.TraceException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lacis trace}: what the matching of an MPI program looks like. */
@Command(
    name = "trace",
    description = "Reads traces of MPI programs, and shows what their matching looks like.",
    mixinStandardHelpOptions = true,
    subcommands = {
      TracePrintCommand.class,
      TraceInfoCommand.class,
      TraceAnalyzeCommand.class,
      TraceCompareCommand.class,
      TraceReplayCommand.class,
      TraceConvertCommand.class
    },
    footer = {"", "Formats and figures are explained in docs/trace.md."})
final class TraceCommand implements Runnable {
  /** A trace is damaged, or cannot be read. */
  static final int DAMAGED = 1;

  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** Says what is wrong with a file, and answers the exit code. */
  static int explain(CommandLine command, IOException e) {
    PrintWriter err = command.getErr();
    boolean known = e instanceof TraceException || e instanceof NoSuchFileException;
    err.println("lacis: " + (known ? e.getMessage() : e.toString()));
    err.flush();
    return DAMAGED;
  }
}
