package org.lacis.testkit;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.lacis.LacisOptions;
import org.lacis.net.sim.SimOptions;

class SimCollectivesTest {

  @Nested
  class InFairWeather extends CollectiveContract {
    @Override
    public Job open(int ranks, LacisOptions options) {
      return SimJobs.open(ranks, options, SimOptions.defaults());
    }
  }

  /** Messages overtake each other, and posts are refused for no reason. */
  @Nested
  class InFoulWeather extends CollectiveContract {
    @Override
    public Job open(int ranks, LacisOptions options) {
      return SimJobs.open(
          ranks,
          options,
          SimOptions.defaults()
              .withSeed(Seeds.seed())
              .withReordering(Duration.ofNanos(50_000))
              .withBusyProbability(0.1)
              .withFullProbability(0.1)
              .withInjectLimit(40));
    }
  }
}
