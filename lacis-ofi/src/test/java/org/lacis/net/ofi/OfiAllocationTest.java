package org.lacis.net.ofi;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.lacis.LacisOptions;
import org.lacis.testkit.AllocationContract;
import org.lacis.testkit.Job;

@EnabledIfSystemProperty(named = "lacis.long", matches = "true")
class OfiAllocationTest extends AllocationContract {
  @Override
  public Job open(int ranks, LacisOptions options) {
    return Providers.openJob(ranks, options, "shm");
  }

  @Override
  protected int share() {
    return 10;
  }
}
