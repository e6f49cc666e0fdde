package org.lacis.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.lacis.net.Probe;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lacis doctor}: what was found on this machine, what is missing, and what gives it. */
@Command(
    name = "doctor",
    description = "Shows what was found on this machine, what is missing, and what gives it.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:programs can be run here", "1:no network can be used"})
final class DoctorCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Finding.print(out, "machine", Checkup.machine());
    Finding.print(out, "networks", Checkup.networkFindings());
    Finding.print(out, "launchers of others, beside lacis run", Checkup.launchers());
    List<String> ready =
        Checkup.networks().stream()
            .filter(network -> network.probe() instanceof Probe.Ready)
            .map(network -> network.name())
            .toList();
    out.println(
        ready.isEmpty()
            ? "No network can be used: see above."
            : "Programs can be run here, over " + String.join(", ", ready) + ".");
    out.flush();
    return ready.isEmpty() ? 1 : 0;
  }
}
