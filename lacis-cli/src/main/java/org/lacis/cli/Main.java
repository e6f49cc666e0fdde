package org.lacis.cli;

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

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
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
