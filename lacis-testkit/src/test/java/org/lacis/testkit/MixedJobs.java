package org.lacis.testkit;

import java.util.List;
import java.util.ServiceLoader;
import org.lacis.LacisOptions;
import org.lacis.net.Network;
import org.lacis.net.mixed.MixedNetwork;

/** Jobs on some hosts, ranks in turn, all in this JVM: shared memory within, tcp between them. */
final class MixedJobs {

  private MixedJobs() {}

  /** The network of a rank of a job on two hosts. */
  static Network network(int rank) {
    return network(rank, 2);
  }

  /** The network of a rank of a job on so many hosts. */
  static Network network(int rank, int hosts) {
    return new MixedNetwork(named("shm"), named("tcp"), "host" + rank % hosts);
  }

  /** One of the networks there are. */
  static Network named(String name) {
    return ServiceLoader.load(Network.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(network -> network.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Opens a job. */
  static Job open(int ranks, LacisOptions options) {
    List<Network.Exchange> exchanges = LocalExchange.of(ranks);
    return Job.open(
        exchanges.stream()
            .map(exchange -> options.withNetwork(network(exchange.rank()), exchange))
            .toList());
  }
}
