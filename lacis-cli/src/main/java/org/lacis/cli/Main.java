package org.lacis.cli;

import java.io.PrintWriter;
import org.lacis.Version;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The root of the lacis command. */
@Command(
    name = "lacis",
    description = "Runs and examines programs that communicate through Lacis.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Versions.class,
    subcommands = {RunCommand.class, DoctorCommand.class, InfoCommand.class})
public final class Main implements Runnable {
  private Main() {}

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /**
   * The command, set up so that what follows a program's name is the program's, whatever it looks
   * like.
   */
  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setStopAtPositional(true)
        // They run no program: their options may stand anywhere, so they come after that.
        .addSubcommand(new BenchCommand())
        .addSubcommand(new TraceCommand())
        .setExpandAtFiles(false)
        .setParameterExceptionHandler((e, args) -> explain(e));
  }

  /**
   * Says what is wrong with a command line, and how it should look; not everything there is to know
   * about it.
   */
  private static int explain(CommandLine.ParameterException e) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("lacis: " + e.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    err.print(command.getHelp().fullSynopsis());
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help' for more.");
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }

  static final class Versions implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"lacis " + Version.current()};
    }
  }
}
