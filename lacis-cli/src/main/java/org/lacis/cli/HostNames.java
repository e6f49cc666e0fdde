package org.lacis.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name machines. */
final class HostNames {
  @Option(
      names = "--hosts",
      paramLabel = "HOST:SLOTS,...",
      description = "Start the ranks on these hosts, filled one after the other: a:4,b:4.")
  private @Nullable String hosts;

  @Option(
      names = "--hostfile",
      paramLabel = "FILE",
      description = "The hosts, one on each line: a slots=4, or a:4. Comments begin with #.")
  private @Nullable Path hostFile;

  /** The hosts, or null if none are named. */
  @Nullable Hosts hosts() {
    if (hosts != null && hostFile != null) {
      throw new IllegalArgumentException("--hosts and --hostfile: give one of them");
    }
    if (hosts != null) {
      return Hosts.parse(hosts);
    }
    return hostFile == null ? null : Hosts.read(hostFile);
  }
}
