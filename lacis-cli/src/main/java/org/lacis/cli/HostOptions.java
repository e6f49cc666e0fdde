package org.lacis.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code lacis run} that are about other machines. */
final class HostOptions {
  @Mixin private HostNames names = new HostNames();

  @Option(
      names = "--launch",
      paramLabel = "COMMAND",
      description =
          "How to run a command on a host: {host} is its name, {command} one word, a line for a"
              + " shell (default: "
              + HostPlan.SSH
              + ").")
  private @Nullable String launch;

  @Option(
      names = "--host-java",
      paramLabel = "FILE",
      description = "The java of the hosts (default: the same file as here).")
  private @Nullable String java;

  @Option(
      names = "--host-lib",
      paramLabel = "FOLDER",
      description = "The folder of Lacis' jars on the hosts (default: the same files as here).")
  private @Nullable String library;

  /** The hosts of the job, or null if it runs on this machine. */
  @Nullable Hosts hosts() {
    Hosts hosts = names.hosts();
    if (hosts == null) {
      refuse("--launch", launch);
      refuse("--host-java", java);
      refuse("--host-lib", library);
    }
    return hosts;
  }

  private static void refuse(String option, @Nullable String value) {
    if (value != null) {
      throw new IllegalArgumentException(
          option + " " + value + ": that is for --hosts or --hostfile, and neither is given");
    }
  }

  /** What is known of the hosts once it is known which ranks they have. */
  HostPlan plan(List<Hosts.Host> placed) {
    return HostPlan.of(placed, launch == null ? HostPlan.SSH : launch, java, library);
  }
}
