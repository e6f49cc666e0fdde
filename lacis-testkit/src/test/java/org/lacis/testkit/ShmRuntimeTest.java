package org.lacis.testkit;

import org.junit.jupiter.api.Nested;
import org.lacis.LacisOptions;

class ShmRuntimeTest {

  @Nested
  class AsItIs extends RuntimeContract {
    @Override
    public Job open(int ranks, LacisOptions options) {
      return ShmJobs.open(ranks, options);
    }
  }

  /** As in a container that forbids the kernel's copies. */
  @Nested
  class WithCopiesByTheTarget extends RuntimeContract {
    @Override
    public Job open(int ranks, LacisOptions options) {
      return ShmJobs.open(ranks, options, "pipeline");
    }
  }
}
