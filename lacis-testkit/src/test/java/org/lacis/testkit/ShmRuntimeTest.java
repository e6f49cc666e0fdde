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

  /** As in a container that forbids the kernel's copies, which only long data takes. */
  @Nested
  class WithCopiesByTheTarget
      implements RuntimeOperations,
          RuntimeLists,
          RuntimeListMessages,
          RuntimeAnyLength,
          RuntimeListTransfers,
          RuntimeAnswers,
          RuntimeMatching,
          RuntimeClaims,
          RuntimeFences,
          RuntimeGraphs,
          RuntimeLife,
          RuntimeBadMemory,
          RuntimeRegions,
          RuntimeAtomics,
          RuntimeClosing,
          RuntimeAfterClose {
    @Override
    public Job open(int ranks, LacisOptions options) {
      return ShmJobs.open(ranks, options, "pipeline");
    }
  }
}
