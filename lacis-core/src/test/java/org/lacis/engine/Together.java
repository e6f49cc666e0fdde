package org.lacis.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Several threads that start at the same moment. */
public final class Together {

  private static final int LIMIT_SECONDS = 60;

  private Together() {}

  /** What one of the threads does. */
  public interface Part {
    void play(int who) throws Exception;
  }

  /** Runs a part on each of so many threads; throws the first failure. */
  public static void run(int threads, Part part) throws Exception {
    var start = new CyclicBarrier(threads);
    var executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> futures = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int who = i;
        futures.add(
            executor.submit(
                () -> {
                  start.await();
                  part.play(who);
                  return null;
                }));
      }
      for (var future : futures) {
        future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      }
    } catch (ExecutionException e) {
      throw new AssertionError("a thread failed", e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }
}
