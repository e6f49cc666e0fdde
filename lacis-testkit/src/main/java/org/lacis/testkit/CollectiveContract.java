package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lacis.LacisOptions;
import org.lacis.collective.Collective;
import org.lacis.collective.CollectiveOptions;
import org.lacis.collective.Group;
import org.lacis.collective.Reduction;
import org.lacis.testkit.CollectiveTrial.Shape;

/**
 * Every collective gives what a direct computation gives, by every algorithm. A subclass per
 * network opens the ranks.
 *
 * <p>Each run draws some of the sizes, roots and buffers; with {@code -Dlacis.long=true} it does
 * them all.
 */
@ExtendWith(Seeded.class)
public abstract class CollectiveContract implements CollectiveFailures, CollectiveCalls {

  private static final boolean LONG = Boolean.getBoolean("lacis.long");
  private static final int MOST_ALGORITHMS = 4;
  private static final List<Reduction> REDUCTIONS =
      List.of(Reduction.SUM_LONG, Reduction.XOR_INT, CollectiveTrial.MATRIX);

  @Override
  public abstract Job open(int ranks, LacisOptions options);

  /** From one to seventeen ranks; some of these numbers if there is little time. */
  static List<Integer> ranks() {
    return LONG
        ? List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)
        : List.of(1, 2, 3, 4, 5, 7, 8, 13, 17);
  }

  /** Numbers of elements on both sides of every protocol and every choice. */
  private static List<Integer> counts(int eagerLimit, Reduction reduction) {
    int eager = eagerLimit / reduction.elementBytes();
    return List.of(0, 1, 3, 7, 1000, eager, eager + 1, 3 * eager + 1);
  }

  @ParameterizedTest(name = "{0} ranks")
  @MethodSource("ranks")
  void everyAlgorithmGivesTheRightResult(int ranks, RandomGenerator random) {
    try (Job job = open(ranks, Job.OPTIONS)) {
      for (int k = 0; k < MOST_ALGORITHMS; k++) {
        try (Ensemble ensemble = Ensemble.of(job, CollectiveKind.forced(k))) {
          for (CollectiveKind kind : CollectiveKind.values()) {
            if (k < kind.algorithms().size()) {
              tryShapes(ensemble, kind, random);
            }
          }
        }
      }
    }
  }

  private static void tryShapes(Ensemble ensemble, CollectiveKind kind, RandomGenerator random) {
    List<Shape> shapes = new ArrayList<>();
    List<Reduction> reductions = kind.combines() ? REDUCTIONS : REDUCTIONS.subList(0, 1);
    int roots = kind.rooted() ? ensemble.size() : 1;
    for (Reduction reduction : reductions) {
      for (int count : counts(ensemble.job.rank(0).eagerLimit(), reduction)) {
        for (int root = 0; root < roots; root++) {
          shapes.add(new Shape(kind, count, root, false, reduction));
          shapes.add(new Shape(kind, count, root, true, reduction));
        }
      }
    }
    int tries = LONG ? shapes.size() : 2;
    for (int i = 0; i < tries; i++) {
      Shape shape = shapes.get(LONG ? i : random.nextInt(shapes.size()));
      CollectiveTrial trial;
      try {
        trial = new CollectiveTrial(ensemble, shape, random);
      } catch (IllegalArgumentException e) {
        // Not every algorithm does for all.
        if (shape.reduction().commutative()) {
          assertThat(e).hasMessageContaining("one length");
        } else {
          assertThat(e).hasMessageMatching(".*(commutative|one length).*");
        }
        continue;
      }
      trial.run(2);
      trial.close();
    }
  }

  @ParameterizedTest
  @EnumSource(CollectiveKind.class)
  void theChoiceIsRightToo(CollectiveKind kind, RandomGenerator random) {
    try (Job job = open(6, Job.OPTIONS);
        Ensemble ensemble = Ensemble.of(job, CollectiveOptions.defaults())) {
      for (int count : List.of(1, 5000, 50_000)) {
        var shape = new Shape(kind, count, random.nextInt(6), true, Reduction.SUM_LONG);
        CollectiveTrial trial = new CollectiveTrial(ensemble, shape, random);
        trial.run(2);
        trial.close();
      }
    }
  }

  /** So long that halves and quarters of it, too, take the way of long data. */
  @ParameterizedTest
  @EnumSource(CollectiveKind.class)
  void longDataIsRightToo(CollectiveKind kind, RandomGenerator random) {
    for (int ranks = 2; ranks <= 4; ranks++) {
      try (Job job = open(ranks, Job.OPTIONS);
          Ensemble ensemble = Ensemble.of(job, CollectiveOptions.defaults())) {
        var shape =
            new Shape(kind, 80_000, random.nextInt(ranks), ranks % 2 == 0, Reduction.SUM_LONG);
        CollectiveTrial trial = new CollectiveTrial(ensemble, shape, random);
        trial.run(2);
        trial.close();
      }
    }
  }

  /**
   * Nobody waits for the others between two runs, and some are slow: so members are as many runs
   * apart as they can be.
   */
  @ParameterizedTest
  @EnumSource(CollectiveKind.class)
  void runsAreNotConfused(CollectiveKind kind, RandomGenerator random) {
    int runs = LONG ? 1000 : 100;
    try (Job job = open(5, Job.OPTIONS)) {
      int algorithms = kind == CollectiveKind.ALLTOALL_V ? 1 : kind.algorithms().size();
      for (int k = 0; k < algorithms; k++) {
        try (Ensemble ensemble = Ensemble.of(job, CollectiveKind.forced(k))) {
          var shape = new Shape(kind, 3, random.nextInt(5), false, Reduction.SUM_LONG);
          runFreely(new CollectiveTrial(ensemble, shape, random), runs, random);
        }
      }
    }
  }

  private static void runFreely(CollectiveTrial trial, int runs, RandomGenerator random) {
    int size = trial.size();
    int[] run = new int[size];
    for (int member = 0; member < size; member++) {
      trial.fill(member, 0);
      trial.built.get(member).start();
    }
    int[] slow = {0};
    trial.ensemble.job.until(
        runs + " runs of " + trial.shape,
        () -> {
          if (random.nextInt(200) == 0) {
            slow[0] = random.nextInt(size);
          }
          int member = random.nextInt(size);
          if (member == slow[0] && random.nextInt(100) > 0) {
            return false;
          }
          if (run[member] < runs && trial.built.get(member).test()) {
            trial.check(member, run[member]);
            run[member]++;
            if (run[member] < runs) {
              trial.fill(member, run[member]);
              trial.built.get(member).start();
            }
          }
          for (int done : run) {
            if (done < runs) {
              return false;
            }
          }
          return true;
        });
  }

  @Test
  void manyAtOnceAreNotConfused(RandomGenerator random) {
    try (Job job = open(5, Job.OPTIONS);
        Ensemble ensemble = Ensemble.of(job, CollectiveOptions.defaults())) {
      List<CollectiveTrial> trials = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        CollectiveKind kind = CollectiveKind.values()[i % CollectiveKind.values().length];
        var shape =
            new Shape(kind, 1 + random.nextInt(3000), i % 5, i % 2 == 0, Reduction.SUM_LONG);
        trials.add(new CollectiveTrial(ensemble, shape, random));
      }
      for (int run = 0; run < 5; run++) {
        for (int member = 0; member < 5; member++) {
          // Each member starts them in an order of its own.
          for (int i = 0; i < trials.size(); i++) {
            CollectiveTrial trial = trials.get((i * 5 + member) % trials.size());
            trial.fill(member, run);
            trial.built.get(member).start();
          }
        }
        for (CollectiveTrial trial : trials) {
          ensemble.await(trial.built);
          for (int member = 0; member < 5; member++) {
            trial.check(member, run);
          }
        }
      }
    }
  }

  @Test
  void groupsThatShareMembersAreNotConfused(RandomGenerator random) {
    try (Job job = open(6, Job.OPTIONS);
        Ensemble some = Ensemble.of(job, Group.of(4, 0, 3), CollectiveOptions.defaults());
        Ensemble others = Ensemble.of(job, Group.of(0, 4, 5, 1), CollectiveOptions.defaults())) {
      for (CollectiveKind kind : CollectiveKind.values()) {
        var shape = new Shape(kind, 5, 2, false, CollectiveTrial.MATRIX);
        var one = new CollectiveTrial(some, shape, random);
        var two = new CollectiveTrial(others, shape, random);
        for (CollectiveTrial trial : List.of(one, two)) {
          for (int member = 0; member < trial.size(); member++) {
            trial.fill(member, 7);
          }
          trial.built.forEach(Collective::start);
        }
        for (CollectiveTrial trial : List.of(two, one)) {
          trial.ensemble.await(trial.built);
          for (int member = 0; member < trial.size(); member++) {
            trial.check(member, 7);
          }
        }
      }
    }
  }
}
