package org.lacis.testkit;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.lacis.LacisOptions;
import org.lacis.net.sim.SimOptions;

class SimRuntimeTest {

  @Nested
  class InFairWeather extends RuntimeContract {
    @Override
    public Job open(int ranks, LacisOptions options) {
      return SimJobs.open(ranks, options, SimOptions.defaults());
    }
  }

  /**
   * Messages overtake each other, posts are refused for no reason, transfers end when they like.
   */
  @Nested
  class InFoulWeather extends RuntimeContract {
    @Override
    public Job open(int ranks, LacisOptions options) {
      return SimJobs.open(
          ranks,
          options,
          SimOptions.defaults()
              .withSeed(Seeds.seed())
              .withReordering(Duration.ofNanos(20_000))
              .withBusyProbability(0.1)
              .withFullProbability(0.1)
              .withImmediateProbability(0.3)
              .withInjectLimit(40));
    }
  }
}
