package org.lacis.testkit;

import java.util.List;
import java.util.ServiceLoader;
import org.lacis.LacisOptions;
import org.lacis.net.Network;

/** Jobs over tcp, all ranks in this JVM. */
final class TcpJobs {

  /** The property that says where to listen. */
  static final String INTERFACE = "lacis.tcp.interface";

  private TcpJobs() {}

  /** The network under test. */
  static Network network() {
    return ServiceLoader.load(Network.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(network -> network.name().equals("tcp"))
        .findFirst()
        .orElseThrow();
  }

  /** Opens a job. */
  static Job open(int ranks, LacisOptions options) {
    Network tcp = network();
    List<Network.Exchange> exchanges = LocalExchange.of(ranks);
    return Job.open(
        exchanges.stream().map(exchange -> options.withNetwork(tcp, exchange)).toList());
  }
}
