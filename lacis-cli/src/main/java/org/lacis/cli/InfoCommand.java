package org.lacis.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lacis.Version;
import org.lacis.boot.LauncherProbes;
import org.lacis.net.Network;
import org.lacis.net.Probe;
import org.lacis.settings.Setting;
import org.lacis.settings.Settings;
import org.lacis.settings.UnknownNames;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lacis info}: what a program started here, with this environment, would use. */
@Command(
    name = "info",
    description = {
      "Shows what a program started here, with this environment, would use.",
      "With --hosts or --hostfile, also which ranks would be on which host, and the networks within"
          + " and between them."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:fine", "1:a setting has a value that is not allowed"})
final class InfoCommand implements Callable<Integer> {
  private static final String AUTO = "auto";
  private static final String ONE_MACHINE = "shm";

  @Mixin private HostNames names = new HostNames();

  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Hosts hosts = hosts();
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
    if (hosts != null) {
      HostNetworks.of(Settings.NET.value(), ready(networks)).print(out, hosts.place(hosts.total()));
    }
    boolean good = settings(out);
    out.flush();
    return good ? 0 : 1;
  }

  private @Nullable Hosts hosts() {
    try {
      return names.hosts();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** The network that the runtime takes if all ranks are here, and why. */
  private static String between(List<Network> networks) {
    String name = Settings.NET.value();
    if (!name.equals(AUTO)) {
      return asked(networks, name);
    }
    List<String> ready = ready(networks);
    return ready.isEmpty() ? "none is ready" : ready.getFirst() + ", the first that is ready";
  }

  /** What it takes if they are not; whether that reaches them only a job can tell. */
  private static String elsewhere(List<Network> networks) {
    String name = Settings.NET.value();
    if (!name.equals(AUTO)) {
      return name.equals(ONE_MACHINE)
          ? "none: %s, asked for by %s, stays on one machine"
              .formatted(name, Settings.NET.property())
          : asked(networks, name);
    }
    List<String> ready = new ArrayList<>(ready(networks));
    boolean both = ready.remove(ONE_MACHINE);
    if (ready.isEmpty()) {
      return "no network is ready";
    }
    String first = ready.removeFirst();
    return first
        + (both ? ", or %s+%s if some share a machine".formatted(ONE_MACHINE, first) : "")
        + (ready.isEmpty()
            ? ""
            : "; %s if asked for by %s"
                .formatted(String.join(" or ", ready), Settings.NET.property()));
  }

  private static String asked(List<Network> networks, String name) {
    boolean usable = ready(networks).containsAll(List.of(name.split("\\+", -1)));
    return name
        + ", asked for by "
        + Settings.NET.property()
        + (usable ? "" : ", which cannot be used");
  }

  private static List<String> ready(List<Network> networks) {
    return networks.stream()
        .filter(network -> network.probe() instanceof Probe.Ready)
        .map(Network::name)
        .toList();
  }

  private static boolean settings(PrintWriter out) {
    boolean good = true;
    out.println("settings");
    int width = Settings.all().stream().mapToInt(s -> s.property().length()).max().orElse(0);
    for (Setting<?> setting : Settings.all()) {
      String value;
      try {
        value = "%-12s %s".formatted(setting.shown(), setting.source());
      } catch (IllegalArgumentException e) {
        value = "wrong: " + e.getMessage(); // which names where it comes from
        good = false;
      }
      out.printf("  %-" + width + "s %s%n", setting.property(), value);
    }
    UnknownNames.warnings().forEach(out::println);
    return good;
  }
}
