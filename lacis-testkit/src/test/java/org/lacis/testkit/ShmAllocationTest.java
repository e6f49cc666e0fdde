package org.lacis.testkit;

import org.lacis.LacisOptions;

class ShmAllocationTest extends AllocationContract {
  @Override
  public Job open(int ranks, LacisOptions options) {
    return ShmJobs.open(ranks, options);
  }
}
