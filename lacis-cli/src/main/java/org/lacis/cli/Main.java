package org.lacis.cli;

import java.io.PrintWriter;
import java.util.List;
import org.lacis.Version;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The root of the lacis command. */
@Command(
    name = "lacis",
    description = "Runs and examines programs that communicate through Lacis.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Versions.class)
public final class Main implements Runnable {
  private Main() {}

  /** What follows the name of a program, or of one of these, is left to it. */
  private static final List<String> STOPPING = List.of("run", "doctor", "info");

  /** They run no program: their options may stand anywhere. */
  private static final List<String> OTHERS = List.of("bench", "trace");

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    int code = commandLine(args).execute(args);
    System.exit(System.out.checkError() ? unwritten() : code);
  }

  /** What the command had to say is lost, and with it its exit code. */
  private static int unwritten() {
    Outcome outcome = StandardStream.OUT.failed("is there room where it goes to?");
    if (!outcome.message().isEmpty()) {
      System.err.println("lacis: " + outcome.message());
    }
    return outcome.code();
  }

  /**
   * The command, set up for some arguments. Of commands that are not asked for nothing is made:
   * that would take longer than much of what is asked for. Who names none sees all of them.
   */
  static CommandLine commandLine(String... args) {
    String first = args.length == 0 ? "" : args[0];
    var line = new CommandLine(new Main());
    add(line, STOPPING, first);
    // It holds for those that are there by now.
    line.setStopAtPositional(true);
    add(line, OTHERS, first);
    return line.setExpandAtFiles(false).setParameterExceptionHandler((e, arguments) -> explain(e));
  }

  private static void add(CommandLine line, List<String> names, String first) {
    boolean one = STOPPING.contains(first) || OTHERS.contains(first);
    boolean none = first.equals("--version") || first.equals("-V");
    for (String name : names) {
      if (one ? name.equals(first) : !none) {
        line.addSubcommand(command(name));
      }
    }
  }

  private static Object command(String name) {
    return switch (name) {
      case "run" -> new RunCommand();
      case "doctor" -> new DoctorCommand();
      case "info" -> new InfoCommand();
      case "bench" -> new BenchCommand();
      default -> new TraceCommand();
    };
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
