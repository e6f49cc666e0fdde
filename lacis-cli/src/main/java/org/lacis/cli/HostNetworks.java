package org.lacis.cli;

import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which networks the runtime takes for the ranks of some hosts, if these are like this one.
 *
 * @param within among ranks of one host; null if there is none
 * @param between among ranks of different hosts; null if there is none
 */
record HostNetworks(@Nullable String within, @Nullable String between) {
  private static final String AUTO = "auto";
  private static final String ONE_MACHINE = "shm";

  /**
   * Chooses as the runtime does.
   *
   * @param asked what {@code lacis.net} is
   * @param ready the networks that can be used here, the preferred ones first
   */
  static HostNetworks of(String asked, List<String> ready) {
    int plus = asked.indexOf('+');
    if (plus >= 0) {
      return new HostNetworks(asked.substring(0, plus), asked.substring(plus + 1));
    }
    if (!asked.equals(AUTO)) {
      return new HostNetworks(asked, asked.equals(ONE_MACHINE) ? null : asked);
    }
    String between =
        ready.stream().filter(name -> !name.equals(ONE_MACHINE)).findFirst().orElse(null);
    return new HostNetworks(ready.contains(ONE_MACHINE) ? ONE_MACHINE : between, between);
  }

  /** Shows them host by host. */
  void print(PrintWriter out, List<Hosts.Host> hosts) {
    out.println("ranks by host, if the hosts are like this one");
    int width = Math.max(13, hosts.stream().mapToInt(host -> host.name().length()).max().orElse(0));
    for (Hosts.Host host : hosts) {
      int last = host.first() + host.count() - 1;
      line(
          out,
          width,
          host.name(),
          host.count() == 1
              ? "rank " + last
              : "ranks %d-%d, %s among them".formatted(host.first(), last, shown(within)));
    }
    if (hosts.size() > 1) {
      line(out, width, "between hosts", shown(between));
    }
  }

  private static void line(PrintWriter out, int width, String what, String text) {
    out.printf("  %-" + width + "s  %s%n", what, text);
  }

  private static String shown(@Nullable String network) {
    return network == null ? "nothing that can be used: see above" : network;
  }
}
