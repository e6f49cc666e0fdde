package org.lacis.testkit;

import org.lacis.LacisOptions;

class MixedRuntimeTest extends RuntimeContract {

  @Override
  public Job open(int ranks, LacisOptions options) {
    return MixedJobs.open(ranks, options);
  }

  @Override
  public boolean packetsStayOut() {
    return false;
  }
}
