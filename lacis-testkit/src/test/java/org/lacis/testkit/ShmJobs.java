package org.lacis.testkit;

import java.util.List;
import java.util.ServiceLoader;
import org.lacis.LacisOptions;
import org.lacis.net.Network;

/** Jobs on shared memory, all ranks in this JVM. */
final class ShmJobs {

  /** The property that says how bulk data is moved. */
  static final String BULK = "lacis.shm.bulk";

  private ShmJobs() {}

  /** Opens a job that moves bulk data in the best way. */
  static Job open(int ranks, LacisOptions options) {
    return open(ranks, options, "auto");
  }

  /**
   * Opens a job.
   *
   * @param bulk how bulk data is moved: auto, mapped, vm or pipeline
   */
  static Job open(int ranks, LacisOptions options, String bulk) {
    Network shm =
        ServiceLoader.load(Network.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(network -> network.name().equals("shm"))
            .findFirst()
            .orElseThrow();
    List<Network.Exchange> exchanges = LocalExchange.of(ranks);
    System.setProperty(BULK, bulk);
    try {
      return Job.open(
          exchanges.stream().map(exchange -> options.withNetwork(shm, exchange)).toList());
    } finally {
      System.clearProperty(BULK);
    }
  }
}
