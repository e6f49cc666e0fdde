package org.lacis.testkit;

import org.lacis.LacisOptions;

class MixedModelTest extends ModelTest {

  MixedModelTest() {
    super(25_000);
  }

  @Override
  public Job open(int ranks, LacisOptions options) {
    return MixedJobs.open(ranks, options);
  }
}
