package org.lacis.testkit;

import org.lacis.LacisOptions;

/** Long data is combined straight out of the memory of others here. */
class ShmCollectivesTest extends CollectiveContract implements CollectiveReductions {
  @Override
  public Job open(int ranks, LacisOptions options) {
    return ShmJobs.open(ranks, options);
  }
}
