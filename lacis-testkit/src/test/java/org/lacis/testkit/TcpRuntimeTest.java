package org.lacis.testkit;

import org.lacis.LacisOptions;

class TcpRuntimeTest extends RuntimeContract {

  @Override
  public Job open(int ranks, LacisOptions options) {
    return TcpJobs.open(ranks, options);
  }

  @Override
  public boolean packetsStayOut() {
    return false;
  }
}
