package org.lacis.testkit;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.lacis.LacisOptions;
import org.lacis.PoolOptions;
import org.lacis.net.sim.SimOptions;

class SimModelTest {

  private static SimOptions sim() {
    return SimOptions.defaults().withSeed(Seeds.seed());
  }

  @Nested
  class InFairWeather extends ModelTest {
    InFairWeather() {
      super(100_000);
    }

    @Override
    public Job open(int ranks, LacisOptions options) {
      return SimJobs.open(ranks, options, sim());
    }
  }

  /** Messages overtake each other, and posts are refused for no reason. */
  @Nested
  class InFoulWeather extends ModelTest {
    InFoulWeather() {
      super(25_000);
    }

    @Override
    public Job open(int ranks, LacisOptions options) {
      return SimJobs.open(
          ranks,
          options,
          sim()
              .withReordering(Duration.ofNanos(20_000))
              .withDelay(Duration.ofNanos(5_000))
              .withBusyProbability(0.1)
              .withFullProbability(0.1)
              .withImmediateProbability(0.3));
    }
  }

  /** Hardly any packets, cells, registrations and room in queues and backlogs. */
  @Nested
  class InNarrowStreets extends ModelTest {
    InNarrowStreets() {
      super(25_000);
    }

    @Override
    public Job open(int ranks, LacisOptions options) {
      return SimJobs.open(
          ranks,
          options
              .withPool(new PoolOptions(8, 256))
              .withRingCells(16)
              .withQueueCapacity(2)
              .withBacklogCapacity(4),
          sim()
              .withReordering(Duration.ofNanos(2_000))
              .withInjectLimit(24)
              .withPendingLimit(4)
              .withRegistrationLimit(8));
    }
  }
}
