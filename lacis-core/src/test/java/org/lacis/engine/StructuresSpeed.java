package org.lacis.engine;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.lacis.match.HashMatcher;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;

/**
 * How long the data structures of the hot path take, in nanoseconds per pair of operations: median
 * and best of several samples. Not a test: run its main.
 */
final class StructuresSpeed {

  private static final int PAIRS = 4_000_000;
  private static final int SAMPLES = 9;

  private StructuresSpeed() {}

  public static void main(String[] args) throws InterruptedException {
    for (int window : new int[] {1, 64, 4096}) {
      for (int threads = 1; threads <= 2; threads++) {
        var matcher = new HashMatcher();
        report("matcher, window " + window, threads, who -> matcherPairs(matcher, window, who));
      }
    }
  }

  /** One thread's share of a sample. */
  private interface Work {
    void run(int who);
  }

  private static void report(String what, int threads, Work work) throws InterruptedException {
    var nanos = new double[SAMPLES];
    for (int sample = -2; sample < SAMPLES; sample++) {
      double each = (double) sample(threads, work) / PAIRS;
      if (sample >= 0) {
        nanos[sample] = each;
      }
    }
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%-28s %d threads  %6.1f ns a pair (best %.1f), %.1f M pairs/s%n",
        what,
        threads,
        nanos[SAMPLES / 2],
        nanos[0],
        threads * 1e3 / nanos[SAMPLES / 2]);
  }

  private static long sample(int threads, Work work) throws InterruptedException {
    var ready = new CountDownLatch(threads);
    var all = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      int who = i;
      all[i] =
          Thread.ofPlatform()
              .start(
                  () -> {
                    ready.countDown();
                    work.run(who);
                  });
    }
    ready.await();
    long start = System.nanoTime();
    for (var thread : all) {
      thread.join();
    }
    return System.nanoTime() - start;
  }

  private static final class Entry extends MatchEntry {
    void key(long key) {
      this.key = key;
    }
  }

  @SuppressWarnings("ReferenceEquality")
  private static void matcherPairs(Matcher matcher, int window, int who) {
    var receives = new Entry[window];
    var arrivals = new Entry[window];
    Arrays.setAll(receives, _ -> new Entry());
    Arrays.setAll(arrivals, _ -> new Entry());
    long rank = (who + 1L) << 32;
    for (int i = 0; i < PAIRS; i += window) {
      for (int j = 0; j < window; j++) {
        var entry = receives[j];
        entry.key(rank | ((i + j) & 0xFFFF));
        while (matcher.insertReceive(entry) == Matcher.BUSY) {
          Thread.onSpinWait();
        }
      }
      for (int j = 0; j < window; j++) {
        var entry = arrivals[j];
        entry.key(rank | ((i + j) & 0xFFFF));
        MatchEntry match = matcher.insertArrival(entry);
        while (match == Matcher.BUSY) {
          Thread.onSpinWait();
          match = matcher.insertArrival(entry);
        }
        if (match != receives[j]) {
          throw new AssertionError("matched " + match);
        }
      }
    }
  }
}
