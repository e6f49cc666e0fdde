package org.lacis.testkit;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.lacis.AtomicOp;
import org.lacis.Device;
import org.lacis.Idle;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.Region;
import org.lacis.RemoteRegion;
import org.lacis.Rights;
import org.lacis.Synchronizer;

/** Many ranks and threads at the same words at once. */
@ExtendWith(Seeded.class)
interface RuntimeAtomicThreads extends RuntimeSuite {

  /** Threads of each rank, each with a device of its own. */
  int THREADS = 2;

  /** How many operations each thread does. */
  int EACH = 400;

  /** One thread of one rank, and what it has found. */
  final class Worker implements Runnable {
    private final Lacis lacis;
    private final Device device;
    private final List<RemoteRegion> words;
    private final RandomGenerator random;
    private final boolean swaps;
    private final AtomicInteger left;
    private final Crew crew;
    private final MemorySegment fetched = Arena.ofAuto().allocate(JAVA_LONG);
    private final List<List<Long>> found = new ArrayList<>();

    Worker(
        Lacis lacis,
        Device device,
        List<RemoteRegion> words,
        RandomGenerator random,
        boolean swaps,
        AtomicInteger left,
        Crew crew) {
      this.lacis = lacis;
      this.device = device;
      this.words = words;
      this.random = random;
      this.swaps = swaps;
      this.left = left;
      this.crew = crew;
      words.forEach(word -> found.add(new ArrayList<>()));
    }

    @Override
    public void run() {
      for (int i = 0; i < EACH && !crew.stopped(); i++) {
        int word = random.nextInt(words.size());
        found.get(word).add(swaps ? swap(words.get(word)) : add(words.get(word)));
      }
      left.decrementAndGet();
      // Others may need this rank's progress to reach its words.
      Idle idle = lacis.newIdle();
      while (left.get() > 0 && !crew.stopped()) {
        idle.after(lacis.progress());
      }
    }

    private long add(RemoteRegion word) {
      Synchronizer done = lacis.newSynchronizer();
      finish(() -> device.atomic(AtomicOp.ADD, 1, fetched, word, 0, done), done);
      return fetched.get(JAVA_LONG, 0);
    }

    /** The same by trying until nobody else was quicker. */
    private long swap(RemoteRegion word) {
      Synchronizer done = lacis.newSynchronizer();
      long guess = 0;
      while (!crew.stopped()) {
        long expected = guess;
        finish(() -> device.compareAndSwap(expected, expected + 1, fetched, word, 0, done), done);
        guess = fetched.get(JAVA_LONG, 0);
        if (guess == expected) {
          break;
        }
      }
      return guess;
    }

    private void finish(java.util.function.Supplier<Post> post, Synchronizer done) {
      Idle idle = lacis.newIdle();
      Post answer = post.get();
      while (answer.isRetry() && !crew.stopped()) {
        idle.after(lacis.progress());
        answer = post.get();
      }
      while (answer.isPosted() && !done.test() && !crew.stopped()) {
        idle.after(lacis.progress());
      }
    }
  }

  @Test
  default void whatManyThreadsAddIsAllThereAndEachFindsAnotherValue(RandomGenerator random) {
    race(random, false);
  }

  @Test
  default void compareAndSwapOfManyThreadsLosesNothing(RandomGenerator random) {
    race(random, true);
  }

  private void race(RandomGenerator random, boolean swaps) {
    int ranks = 3;
    try (Job job = open(ranks)) {
      List<Region> regions = new ArrayList<>();
      for (Lacis lacis : job.ranks()) {
        regions.add(lacis.allocate(8));
        regions.add(lacis.register(Talk.memory(8), Rights.READ_WRITE));
      }
      List<RemoteRegion> words = regions.stream().map(Region::remote).toList();
      AtomicInteger left = new AtomicInteger(ranks * THREADS);
      List<Worker> workers = new ArrayList<>();
      try (Crew crew = new Crew()) {
        for (int thread = 0; thread < THREADS; thread++) {
          List<Device> devices = job.newDevices();
          for (int rank = 0; rank < ranks; rank++) {
            workers.add(
                new Worker(
                    job.rank(rank),
                    devices.get(rank),
                    words,
                    new java.util.SplittableRandom(random.nextLong()),
                    swaps,
                    left,
                    crew));
          }
        }
        workers.forEach(worker -> crew.start("worker", worker));
        crew.until("all atomics", () -> left.get() == 0);
      }
      for (int w = 0; w < words.size(); w++) {
        int word = w;
        List<Long> found =
            workers.stream().flatMap(worker -> worker.found.get(word).stream()).sorted().toList();
        for (int i = 0; i < found.size(); i++) {
          assertThat(found.get(i)).as("value %d of word %d", i, w).isEqualTo(i);
        }
        assertThat(regions.get(w).segment().get(JAVA_LONG, 0)).isEqualTo(found.size());
      }
      regions.forEach(Region::close);
    }
  }
}
