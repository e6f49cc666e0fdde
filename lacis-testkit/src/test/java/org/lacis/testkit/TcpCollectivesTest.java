package org.lacis.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.lacis.LacisOptions;

class TcpCollectivesTest extends CollectiveContract {
  @Override
  public Job open(int ranks, LacisOptions options) {
    // Hundreds of connections in one thread take long and show nothing that few do not.
    assumeTrue(ranks <= 6 || Boolean.getBoolean("lacis.long"), "only with -Plong");
    return TcpJobs.open(ranks, options);
  }
}
