package org.lacis.testkit;

import org.junit.jupiter.api.Nested;
import org.lacis.LacisOptions;
import org.lacis.PoolOptions;

class ShmModelTest {

  @Nested
  class AsItIs extends ModelTest {
    AsItIs() {
      super(100_000);
    }

    @Override
    public Job open(int ranks, LacisOptions options) {
      return ShmJobs.open(ranks, options);
    }
  }

  @Nested
  class WithCopiesByTheKernel extends ModelTest {
    WithCopiesByTheKernel() {
      super(25_000);
    }

    @Override
    public Job open(int ranks, LacisOptions options) {
      return ShmJobs.open(ranks, options, "vm");
    }
  }

  /** Hardly any packets, cells and room in queues and backlogs; bulk data copied by the target. */
  @Nested
  class InNarrowStreets extends ModelTest {
    InNarrowStreets() {
      super(25_000);
    }

    @Override
    public Job open(int ranks, LacisOptions options) {
      return ShmJobs.open(
          ranks,
          options
              .withPool(new PoolOptions(8, 256))
              .withRingCells(16)
              .withQueueCapacity(2)
              .withBacklogCapacity(4),
          "pipeline");
    }
  }
}
