package org.lacis.testkit;

import org.lacis.LacisOptions;

class TcpCollectivesTest extends CollectiveContract {
  @Override
  public Job open(int ranks, LacisOptions options) {
    return TcpJobs.open(ranks, options);
  }
}
