package org.lacis.engine;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.lacis.LacisException;
import org.lacis.net.Gather;
import org.lacis.net.Network;
import org.lacis.net.Probe;
import org.lacis.net.mixed.HostName;
import org.lacis.net.mixed.MixedNetwork;

/** The networks there are, and the choice among them. */
final class Networks {

  private static final String AUTO = "auto";
  private static final String WITHIN_HOSTS = "shm";

  /** What is taken unless asked for otherwise, best first. */
  private static final List<String> PREFERRED = List.of(WITHIN_HOSTS, "tcp");

  /** Those of this module and of others on the path, the preferred ones first. */
  private static final List<Network> ALL =
      ServiceLoader.load(Network.class, Networks.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .sorted(Comparator.comparingInt(Networks::place).thenComparing(Network::name))
          .toList();

  private Networks() {}

  private static int place(Network network) {
    int place = PREFERRED.indexOf(network.name());
    return place < 0 ? PREFERRED.size() : place;
  }

  /**
   * The network that is asked for; if that is left open, one that fits the hosts of the job.
   * Collective, as hosts may have to be told.
   *
   * @param name of a network, two of them with a plus, or "auto"
   * @param oneHost whether it is known that all ranks are on one host
   */
  static Network choose(String name, Network.Exchange exchange, boolean oneHost) {
    if (name.equals(AUTO)) {
      return oneHost || exchange.size() == 1 ? first(null) : byHosts(exchange);
    }
    int plus = name.indexOf('+');
    return plus < 0
        ? named(name)
        : new MixedNetwork(
            named(name.substring(0, plus)), named(name.substring(plus + 1)), HostName.current());
  }

  private static Network byHosts(Network.Exchange exchange) {
    String host = HostName.current();
    String[] hosts = new Gather(exchange, "hosts").all(host);
    long count = Arrays.stream(hosts).distinct().count();
    if (count == 1) {
      return first(null);
    }
    Network between = first(WITHIN_HOSTS);
    Network within = named(WITHIN_HOSTS);
    return count == hosts.length || within.probe() instanceof Probe.Missing
        ? between
        : new MixedNetwork(within, between, host);
  }

  /** The first that works here, but not the one with this name. */
  private static Network first(@Nullable String except) {
    StringBuilder why = new StringBuilder();
    for (Network network : ALL) {
      if (!network.name().equals(except)) {
        switch (network.probe()) {
          case Probe.Ready _ -> {
            return network;
          }
          case Probe.Missing missing ->
              why.append("; ").append(network.name()).append(": ").append(missing.why());
        }
      }
    }
    throw new LacisException("no network can be used" + why);
  }

  private static Network named(String name) {
    for (Network network : ALL) {
      if (network.name().equals(name)) {
        if (network.probe() instanceof Probe.Missing missing) {
          throw new LacisException("network " + name + " cannot be used: " + missing.why());
        }
        return network;
      }
    }
    throw new LacisException(
        "there is no network named \""
            + name
            + "\"; there are: "
            + String.join(", ", ALL.stream().map(Network::name).toList()));
  }
}
