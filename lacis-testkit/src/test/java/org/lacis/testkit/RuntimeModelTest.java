package org.lacis.testkit;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.net.sim.SimOptions;

/**
 * A hundred thousand random operations; {@code -Dlacis.long=true} does a hundred times as many.
 * {@code -Dlacis.seed} repeats a run.
 */
class RuntimeModelTest {

  private static final int OPERATIONS = Boolean.getBoolean("lacis.long") ? 10_000_000 : 100_000;

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void nothingIsLostDoubledMisdeliveredOrTornOnSharedMemory(int ranks) {
    try (Job job = ShmJobs.open(ranks, Job.OPTIONS)) {
      RuntimeModel.run(job, Seeds.random("shm " + ranks), OPERATIONS);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mapped", "vm", "pipeline"})
  void norWhateverWayBulkDataGoes(String bulk) {
    try (Job job = ShmJobs.open(3, Job.OPTIONS, bulk)) {
      RuntimeModel.run(job, Seeds.random("shm " + bulk), OPERATIONS / 10);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void norOnTheSimulator(int ranks) {
    SimOptions sim = SimOptions.defaults().withSeed(Seeds.seed());
    try (Job job = SimJobs.open(ranks, Job.OPTIONS, sim)) {
      RuntimeModel.run(job, Seeds.random("sim " + ranks), OPERATIONS);
    }
  }

  @ParameterizedTest
  @CsvSource({"2, 16", "3, 256", "8, 16"})
  void norWhenMessagesOvertakeAndRoomIsShort(int ranks, int ringCells) {
    SimOptions sim =
        SimOptions.defaults()
            .withSeed(Seeds.seed())
            .withReordering(Duration.ofNanos(20_000))
            .withBusyProbability(0.1)
            .withFullProbability(0.1);
    try (Job job = SimJobs.open(ranks, Job.OPTIONS.withRingCells(ringCells), sim)) {
      RuntimeModel.run(job, Seeds.random("sim, adverse " + ranks), OPERATIONS);
    }
  }
}
