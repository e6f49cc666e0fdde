package org.lacis.testkit;

import org.lacis.LacisOptions;

class TcpAllocationTest extends AllocationContract {
  @Override
  public Job open(int ranks, LacisOptions options) {
    return TcpJobs.open(ranks, options);
  }

  @Override
  protected int share() {
    return 10;
  }

  @Override
  protected boolean wants(Witness.Kind ending) {
    return ending == Witness.Kind.HANDLER;
  }
}
