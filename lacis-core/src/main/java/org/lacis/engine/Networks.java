package org.lacis.engine;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.lacis.LacisException;
import org.lacis.net.Gather;
import org.lacis.net.Network;
import org.lacis.net.Probe;
import org.lacis.net.mixed.HostName;
import org.lacis.net.mixed.MixedNetwork;
import org.lacis.settings.Setting;
import org.lacis.settings.Settings;

/** The networks there are, and the choice among them. */
final class Networks {

  private static final String AUTO = "auto";
  private static final String WITHIN_HOSTS = "shm";

  /**
   * What is taken unless asked for otherwise, best first. The first stays on one machine, the
   * second can encrypt.
   */
  private static final List<String> PREFERRED = List.of(WITHIN_HOSTS, "tcp");

  /** Networks in jars of their own, which are easily forgotten. */
  private static final Map<String, String> ELSEWHERE = Map.of("ofi", "lacis-ofi");

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
    Network chosen;
    int plus = name.indexOf('+');
    if (name.equals(AUTO)) {
      chosen = oneHost || exchange.size() == 1 ? first(null) : byHosts(exchange);
    } else if (plus < 0) {
      chosen = named(name, name);
    } else {
      chosen =
          new MixedNetwork(
              named(name.substring(0, plus), name),
              named(name.substring(plus + 1), name),
              HostName.current());
    }
    refuseClearText(chosen.name());
    return chosen;
  }

  /** Whoever asks for TLS does not want his messages to leave the machine without it. */
  static void refuseClearText(String name) {
    String between = name.substring(name.indexOf('+') + 1);
    if (Settings.TCP_TLS.value() && !PREFERRED.contains(between)) {
      throw new LacisException(
          "%s is true, but network %s does not encrypt: use tcp or shm+tcp, or set it to false"
              .formatted(Settings.TCP_TLS.property(), between));
    }
  }

  private static Network byHosts(Network.Exchange exchange) {
    String host = HostName.current();
    String[] hosts = new Gather(exchange, "hosts").all(host);
    long count = Arrays.stream(hosts).distinct().count();
    if (count == 1) {
      return first(null);
    }
    Network between = first(WITHIN_HOSTS);
    Network within = named(WITHIN_HOSTS, AUTO);
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

  /**
   * The network of that name.
   *
   * @param said all that was asked for
   */
  private static Network named(String name, String said) {
    for (Network network : ALL) {
      if (network.name().equals(name)) {
        if (network.probe() instanceof Probe.Missing missing) {
          throw new LacisException("network " + name + " cannot be used: " + missing.why());
        }
        return network;
      }
    }
    String jar = ELSEWHERE.get(name);
    throw new IllegalArgumentException(
        source(said)
            + " is "
            + said
            + ", but there is no network named \""
            + name
            + (jar == null ? "\"" : "\": the jar " + jar + " is not on the class path")
            + "; there are: "
            + String.join(", ", ALL.stream().map(Network::name).toList()));
  }

  /** Who has asked for it: the property, the variable, or the program. */
  private static String source(String said) {
    String outside = Settings.NET.source();
    return outside.equals(Setting.DEFAULT) || !Settings.NET.value().equals(said)
        ? "networkName"
        : outside;
  }
}
