package org.lacis.testkit;

import org.junit.jupiter.api.Nested;
import org.lacis.LacisOptions;
import org.lacis.PoolOptions;

class TcpModelTest {

  @Nested
  class AsItIs extends ModelTest {
    AsItIs() {
      super(25_000);
    }

    @Override
    public Job open(int ranks, LacisOptions options) {
      return TcpJobs.open(ranks, options);
    }
  }

  /** Hardly any packets, messages under way and room in queues and backlogs. */
  @Nested
  class InNarrowStreets extends ModelTest {
    InNarrowStreets() {
      super(10_000);
    }

    @Override
    public Job open(int ranks, LacisOptions options) {
      return TcpJobs.open(
          ranks,
          options
              .withPool(new PoolOptions(8, 256))
              .withRingCells(16)
              .withQueueCapacity(2)
              .withBacklogCapacity(4));
    }
  }
}
