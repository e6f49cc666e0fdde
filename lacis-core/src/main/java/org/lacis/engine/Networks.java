package org.lacis.engine;

import java.util.List;
import java.util.ServiceLoader;
import org.lacis.LacisException;
import org.lacis.LacisOptions;
import org.lacis.net.Network;
import org.lacis.net.Probe;

/** The networks there are, and the choice among them. */
final class Networks {

  /** Those of this module and of others on the path, in that order. */
  private static final List<Network> ALL =
      ServiceLoader.load(Network.class, Networks.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .toList();

  private Networks() {}

  /** The network that is asked for by the options; with "auto" the first that is ready. */
  static Network choose(LacisOptions options) {
    String name = options.networkName();
    StringBuilder why = new StringBuilder();
    for (Network network : ALL) {
      if (name.equals("auto") || name.equals(network.name())) {
        switch (network.probe()) {
          case Probe.Ready _ -> {
            return network;
          }
          case Probe.Missing missing ->
              why.append("; ").append(network.name()).append(": ").append(missing.why());
        }
      }
    }
    if (why.isEmpty()) {
      throw new LacisException(
          "there is no network named \""
              + name
              + "\"; there are: "
              + String.join(", ", ALL.stream().map(Network::name).toList()));
    }
    throw new LacisException("no network can be used" + why);
  }
}
