package org.lacis.bench.subject;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Threads that begin together, are timed together, and wait for the next time in between. */
final class ThreadTeam {
  /** What one of the threads does. */
  @FunctionalInterface
  interface Part {
    void run(int thread, long count) throws Exception;
  }

  private static final long LIMIT_SECONDS = 120;

  private final CyclicBarrier gate;
  private final Part part;
  private volatile long count;
  private volatile @Nullable Exception failure;

  ThreadTeam(int threads, Part part) {
    this.part = part;
    gate = new CyclicBarrier(threads + 1);
    for (int t = 0; t < threads; t++) {
      int thread = t;
      Thread.ofPlatform().daemon().name("bench-" + t).start(() -> work(thread));
    }
  }

  private void work(int thread) {
    try {
      while (true) {
        gate.await();
        try {
          part.run(thread, count);
        } catch (Exception e) {
          failure = e;
        }
        gate.await();
      }
    } catch (InterruptedException | java.util.concurrent.BrokenBarrierException e) {
      // The process is about to end.
    }
  }

  /** Has each thread do its part so many times: nanoseconds until all have. */
  long time(long each) throws Exception {
    count = each;
    // Before they begin: where they have all cores, this thread runs again when they are done.
    long start = System.nanoTime();
    gate.await(LIMIT_SECONDS, TimeUnit.SECONDS);
    gate.await(LIMIT_SECONDS, TimeUnit.SECONDS);
    long nanos = System.nanoTime() - start;
    Exception thrown = failure;
    if (thrown != null) {
      throw thrown;
    }
    return nanos;
  }
}
