package org.lacis.testkit;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Random completion graphs, of up to a thousand nodes. */
interface RuntimeRandomGraphs extends RuntimeSuite {

  /** The sizes that are tried. */
  List<Integer> SIZES = List.of(1, 7, 100, 1000);

  /** How often each graph is started. */
  int RUNS = 4;

  @Test
  default void randomGraphsRunInOrder() {
    RandomGenerator random = Seeds.random(getClass().getName());
    for (int size : SIZES) {
      try (Job job = open(3)) {
        RandomGraph graph = new RandomGraph(job, random, size);
        for (int run = 0; run < RUNS; run++) {
          graph.start(run % 2 == 1);
          job.until("a run of " + size + " nodes", graph::finished);
          graph.check();
        }
      }
    }
  }

  @Test
  default void randomGraphsRunInOrderWhenSeveralThreadsMakeProgress() {
    RandomGenerator random = Seeds.random(getClass().getName() + ", threads");
    for (int size : SIZES) {
      try (Job job = open(2);
          Crew crew = new Crew()) {
        for (int i = 0; i < 3; i++) {
          crew.repeat("progress " + i, job::progress);
        }
        RandomGraph graph = new RandomGraph(job, random, size);
        for (int run = 0; run < RUNS; run++) {
          graph.start(run % 2 == 1);
          crew.until("a run of " + size + " nodes", graph::finished);
          graph.check();
        }
      }
    }
  }
}
