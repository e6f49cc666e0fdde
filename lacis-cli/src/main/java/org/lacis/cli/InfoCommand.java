package org.lacis.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.lacis.Version;
import org.lacis.boot.LauncherProbes;
import org.lacis.net.Network;
import org.lacis.net.Probe;
import org.lacis.settings.Setting;
import org.lacis.settings.Settings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lacis info}: what a program started here, with this environment, would use. */
@Command(
    name = "info",
    description = "Shows what a program started here, with this environment, would use.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:fine", "1:a setting has a value that is not allowed"})
final class InfoCommand implements Callable<Integer> {
  private static final String ONE_MACHINE = "shm";

  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "lacis %s, Java %s, %s %s%n",
        Version.current(),
        Runtime.version(),
        System.getProperty("os.name"),
        System.getProperty("os.arch"));
    out.println("launcher of this process: " + LauncherProbes.describe(System.getenv()));
    List<Network> networks = Checkup.networks();
    Finding.print(
        out,
        "networks",
        networks.stream().map(network -> Finding.of(network.name(), network.probe())).toList());
    out.println("between ranks on this machine: " + between(networks));
    out.println("with ranks on other machines: " + elsewhere(networks));
    boolean good = settings(out);
    out.flush();
    return good ? 0 : 1;
  }

  /** The network that the runtime takes, and why. */
  private static String between(List<Network> networks) {
    String name = Settings.NET.value();
    String why = "asked for by " + Settings.NET.property();
    for (Network network : networks) {
      boolean meant = name.equals("auto") || name.equals(network.name());
      if (meant && network.probe() instanceof Probe.Ready) {
        return network.name() + (name.equals("auto") ? ", the first that is ready" : ", " + why);
      }
    }
    return name.equals("auto") ? "none is ready" : name + ", " + why + ", which cannot be used";
  }

  /** What is there for ranks that share no memory; whether it reaches them only a job can tell. */
  private static String elsewhere(List<Network> networks) {
    List<String> ready =
        networks.stream()
            .filter(network -> !network.name().equals(ONE_MACHINE))
            .filter(network -> network.probe() instanceof Probe.Ready)
            .map(Network::name)
            .toList();
    return ready.isEmpty()
        ? "no network is ready"
        : String.join(" or ", ready) + ", if asked for by " + Settings.NET.property();
  }

  private static boolean settings(PrintWriter out) {
    boolean good = true;
    out.println("settings");
    for (Setting<?> setting : Settings.all()) {
      String value;
      try {
        value = setting.shown();
      } catch (IllegalArgumentException e) {
        value = "wrong: " + e.getMessage();
        good = false;
      }
      out.printf("  %-26s %-12s %s%n", setting.property(), value, setting.source());
    }
    return good;
  }
}
