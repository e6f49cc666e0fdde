package org.lacis.testkit;

import java.util.stream.IntStream;
import org.lacis.LacisOptions;
import org.lacis.net.sim.SimFabric;
import org.lacis.net.sim.SimOptions;

/** Jobs on the simulated network. */
final class SimJobs {

  private SimJobs() {}

  /** Opens a job on a fabric of its own. */
  static Job open(int ranks, LacisOptions options, SimOptions sim) {
    return open(SimFabric.create(sim.withRanks(ranks)), options);
  }

  /** Opens all ranks of a fabric. */
  static Job open(SimFabric fabric, LacisOptions options) {
    return Job.open(
        IntStream.range(0, fabric.options().ranks())
            .mapToObj(rank -> options.withNetwork(fabric.network(rank), fabric.exchange(rank)))
            .toList());
  }
}
