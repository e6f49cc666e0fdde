package org.lacis.engine;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.lacis.match.HashMatcher;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;
import org.lacis.net.TryLock;

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
    for (int threads = 1; threads <= 2; threads++) {
      var pool = new LongPool(65_536);
      for (int i = 1; i <= 65_536; i++) {
        pool.give(i);
      }
      report("numbers, take and give", threads, _ -> poolPairs(pool));
      var ring = new CellRing(1024);
      report("ring, write and read", threads, _ -> ringPairs(ring));
    }
    var ring = new CellRing(1024);
    report("ring, one writer, one reader", 2, who -> ringStream(ring, who == 0));
    var lock = new TryLock();
    report("try-lock", 1, _ -> lockPairs(lock));
  }

  private static void poolPairs(LongPool pool) {
    for (int i = 0; i < PAIRS; i++) {
      long value = pool.take();
      if (value == 0) {
        throw new AssertionError("the pool ran dry");
      }
      pool.give(value);
    }
  }

  private static void ringPairs(CellRing ring) {
    for (int i = 0; i < PAIRS; i++) {
      // Not at once, when another thread stands still between claim and publish or free.
      int cell = ring.claimWrite();
      while (cell < 0) {
        Thread.onSpinWait();
        cell = ring.claimWrite();
      }
      ring.publish(cell);
      cell = ring.claimRead();
      while (cell < 0) {
        Thread.onSpinWait();
        cell = ring.claimRead();
      }
      ring.free(cell);
    }
  }

  private static void ringStream(CellRing ring, boolean writer) {
    for (int i = 0; i < PAIRS; ) {
      int cell = writer ? ring.claimWrite() : ring.claimRead();
      if (cell < 0) {
        Thread.yield();
        continue;
      }
      if (writer) {
        ring.publish(cell);
      } else {
        ring.free(cell);
      }
      i++;
    }
  }

  private static void lockPairs(TryLock lock) {
    for (int i = 0; i < PAIRS; i++) {
      if (lock.tryLock()) {
        lock.unlock();
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
