package org.lacis.testkit;

import org.lacis.LacisOptions;

class ShmCollectivesTest extends CollectiveContract {
  @Override
  public Job open(int ranks, LacisOptions options) {
    return ShmJobs.open(ranks, options);
  }
}
