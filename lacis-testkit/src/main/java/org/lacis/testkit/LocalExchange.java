package org.lacis.testkit;

import java.util.List;
import java.util.stream.IntStream;
import org.lacis.net.Network;
import org.lacis.net.sim.SimFabric;
import org.lacis.net.sim.SimOptions;

/** The bootstrap of ranks that live in one JVM, a thread for each. */
public final class LocalExchange {

  private LocalExchange() {}

  /**
   * Returns what each rank of a new job sees.
   *
   * @param ranks how many there are
   */
  public static List<Network.Exchange> of(int ranks) {
    SimFabric fabric = SimFabric.create(SimOptions.defaults().withRanks(ranks));
    return IntStream.range(0, ranks).mapToObj(fabric::exchange).toList();
  }
}
