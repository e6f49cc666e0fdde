package org.lacis.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.LacisOptions;
import org.lacis.PoolOptions;

/**
 * Operations drawn at random, compared with a {@link Model}: of every kind and size, with every
 * policy and completion object, on several devices and matching engines, expected and unexpected.
 * Nothing is lost, doubled, delivered elsewhere or torn, nothing written beside a buffer, and at
 * the end nothing is under way and no packet missing. A subclass per network.
 *
 * <p>With {@code -Dlacis.long=true} there are a hundred times as many. A run with one thread, on a
 * network that is itself deterministic, is the same again with the same seed; with several threads
 * their timing plays a part too.
 */
@ExtendWith(Seeded.class)
public abstract class ModelTest {

  /** Packets and queues that are soon full. */
  protected static final LacisOptions OPTIONS =
      Job.OPTIONS
          .withMatching(Model.MATCHING)
          .withPool(new PoolOptions(64, 1024))
          .withQueueCapacity(16);

  private static final boolean LONG = Boolean.getBoolean("lacis.long");
  private static final Duration LIMIT = Duration.ofSeconds(LONG ? 9000 : 90);

  /** Steps between two looks at the clock. */
  private static final int STEPS = 256;

  private final int operations;

  /**
   * Used by subclasses.
   *
   * @param operations how many one thread draws; if there are several, they draw half as many
   */
  protected ModelTest(int operations) {
    this.operations = LONG ? 100 * operations : operations;
  }

  /** Opens a job on the network under test. */
  public abstract Job open(int ranks, LacisOptions options);

  @ByRanks
  void oneThreadDrivesAllRanks(int ranks, RandomGenerator random) {
    try (Job job = open(ranks, OPTIONS)) {
      Model model = new Model(job, 1);
      List<ModelWorker> workers = workers(model, operations, random);
      Runnable steps =
          () -> {
            for (int i = 0; i < STEPS; i++) {
              workers.get(random.nextInt(workers.size())).step();
            }
          };
      finish(model, workers, steps);
      end(model, workers);
    }
  }

  @ByRanks
  void everyRankHasAThread(int ranks, RandomGenerator random) {
    inThreads(ranks, 1, random);
  }

  @ParameterizedTest(name = "{0} ranks")
  @ValueSource(ints = {2, 3})
  void everyRankHasThreeThreads(int ranks, RandomGenerator random) {
    inThreads(ranks, 3, random);
  }

  private void inThreads(int ranks, int threadsPerRank, RandomGenerator random) {
    try (Job job = open(ranks, OPTIONS)) {
      Model model = new Model(job, threadsPerRank);
      List<ModelWorker> workers = workers(model, operations / 2, random);
      AtomicBoolean stop = new AtomicBoolean();
      List<Thread> threads = new ArrayList<>();
      for (ModelWorker worker : workers) {
        threads.add(
            Thread.ofPlatform().daemon().start(() -> model.guard(() -> work(worker, stop))));
      }
      try {
        finish(model, workers, () -> {});
      } finally {
        stop.set(true);
        Await.ended("the threads", threads.toArray(Thread[]::new));
      }
      end(model, workers);
    }
  }

  private static void work(ModelWorker worker, AtomicBoolean stop) {
    while (!stop.get()) {
      if (worker.step() == 0) {
        Thread.yield();
      }
    }
  }

  private static List<ModelWorker> workers(Model model, int operations, RandomGenerator random) {
    List<ModelWorker> workers = new ArrayList<>();
    int count = model.job.size() * model.workersPerRank;
    for (int rank = 0; rank < model.job.size(); rank++) {
      for (int i = 0; i < model.workersPerRank; i++) {
        RandomGenerator own = Seeds.random(random.nextLong(), "rank " + rank + " worker " + i);
        workers.add(new ModelWorker(model, rank, i, operations / count, own));
      }
    }
    return workers;
  }

  private static void finish(Model model, List<ModelWorker> workers, Runnable steps) {
    Runnable step =
        () -> {
          steps.run();
          model.rethrow();
        };
    try {
      Await.until("all operations", LIMIT, step, () -> isOver(model, workers));
    } catch (RuntimeException | AssertionError e) {
      model.job.leaveUnfinished();
      e.addSuppressed(new AssertionError("this was left: " + model + "; " + workers));
      throw e;
    }
  }

  /** In this order: without new operations there is nothing new to receive, nor to end. */
  private static boolean isOver(Model model, List<ModelWorker> workers) {
    return workers.stream().allMatch(ModelWorker::hasStartedAll)
        && model.isEmpty()
        && workers.stream().allMatch(ModelWorker::isIdle);
  }

  private static void end(Model model, List<ModelWorker> workers) {
    model.job.progressOn();
    workers.forEach(ModelWorker::close);
    model.close();
  }
}
