package org.lacis.match;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/**
 * How long ordered matching takes by itself, fed from memory, in nanoseconds for a receive and its
 * message together: median and best of several samples. One thread is measured by its processor
 * time, which other work hardly changes, several by the clock. Not a test: run its main, with
 * {@code blocks} for several threads.
 */
final class OrderedSpeed {

  private static final int PAIRS = 500_000;
  private static final int SAMPLES = 9;
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

  private OrderedSpeed() {}

  private static final class Entry extends MatchEntry {
    void become(int source, int tag) {
      key = OrderedKeys.key(source, tag);
      hash = OrderedKeys.hash(source, tag);
    }
  }

  public static void main(String[] args) {
    if (args.length > 0) {
      for (int threads = 1; threads <= 4; threads *= 2) {
        blocks("blocks, NC", threads, i -> i, true);
        blocks("blocks, WC", threads, _ -> 7, true);
        blocks("blocks, WC", threads, _ -> 7, false);
      }
      return;
    }
    Supplier<Matcher> ordered = () -> new OrderedMatcher(65_536, 131_072);
    for (int depth : new int[] {1, 10, 100, 1_000, 10_000, 100_000}) {
      report("NC, posted first, depth " + depth, ordered, depth, i -> i, i -> i, true);
      report("NC, unexpected, depth " + depth, ordered, depth, i -> i, i -> i, false);
    }
    for (int depth : new int[] {100, 100_000}) {
      report("WC, posted first, depth " + depth, ordered, depth, _ -> 7, _ -> 7, true);
      report("WC, unexpected, depth " + depth, ordered, depth, _ -> 7, _ -> 7, false);
      int last = depth - 1;
      report("reversed, depth " + depth, ordered, depth, i -> last - i, i -> i, true);
    }
    Supplier<Matcher> bare = () -> new OrderedMatcher(65_536, 131_072, 0, true, false);
    report("NC, unexpected, nothing open, 1000", bare, 1_000, i -> i, i -> i, false);
    report("list, NC, posted first, 100", ListMatcher::new, 100, i -> i, i -> i, true);
    report("list, reversed, 1000", ListMatcher::new, 1_000, i -> 999 - i, i -> i, true);
  }

  private static void report(
      String what,
      Supplier<Matcher> made,
      int depth,
      IntUnaryOperator receiveTag,
      IntUnaryOperator messageTag,
      boolean posted) {
    var matcher = made.get();
    var receives = entries(depth);
    var messages = entries(depth);
    int pairs = matcher instanceof ListMatcher ? PAIRS / 10 : PAIRS;
    var nanos = new double[SAMPLES];
    for (int sample = -3; sample < SAMPLES; sample++) {
      long start = CLOCK.getCurrentThreadCpuTime();
      int done = 0;
      while (done < pairs) {
        for (int i = 0; i < depth; i++) {
          receives[i].become(0, receiveTag.applyAsInt(i));
          messages[i].become(0, messageTag.applyAsInt(i));
        }
        if (posted) {
          post(matcher, receives);
          arrive(matcher, messages, true);
        } else {
          arrive(matcher, messages, false);
          post(matcher, receives);
        }
        done += depth;
      }
      if (sample >= 0) {
        nanos[sample] = (double) (CLOCK.getCurrentThreadCpuTime() - start) / done;
      }
    }
    tell(what, nanos, "");
  }

  private static Entry[] entries(int count) {
    var entries = new Entry[count];
    Arrays.setAll(entries, _ -> new Entry());
    return entries;
  }

  private static void post(Matcher matcher, Entry[] receives) {
    for (Entry receive : receives) {
      matcher.insertReceive(receive);
    }
  }

  private static void arrive(Matcher matcher, Entry[] messages, boolean expected) {
    for (Entry message : messages) {
      if (expected && matcher.takeReceive(message.key, message.hash) == null) {
        throw new AssertionError("a message has found no receive");
      }
      if (!expected) {
        matcher.insertArrival(message);
      }
    }
  }

  /** Blocks of as many messages as there are threads; a receive for each is posted before. */
  private static void blocks(String what, int threads, IntUnaryOperator tag, boolean fastPath) {
    var matcher = new OrderedMatcher(1024, 8192);
    int depth = 64;
    var receives = entries(depth);
    var messages = entries(depth);
    var block = new MatchEntry[threads];
    var met = new MatchEntry[threads];
    var nanos = new double[SAMPLES];
    int pairs = threads == 1 ? PAIRS : PAIRS / 50;
    try (var blocks = new BlockMatcher(matcher, threads, true, fastPath, false)) {
      for (int sample = -3; sample < SAMPLES; sample++) {
        long start = System.nanoTime();
        int done = 0;
        while (done < pairs) {
          for (int i = 0; i < depth; i++) {
            receives[i].become(0, tag.applyAsInt(i));
            messages[i].become(0, tag.applyAsInt(i));
          }
          post(matcher, receives);
          for (int i = 0; i < depth; i += threads) {
            System.arraycopy(messages, i, block, 0, threads);
            blocks.match(block, threads, met);
          }
          done += depth;
        }
        if (sample >= 0) {
          nanos[sample] = (double) (System.nanoTime() - start) / done;
        }
      }
      tell(
          what + ", " + threads + " threads, fast path " + (fastPath ? "on" : "off"),
          nanos,
          ", " + blocks.counts());
    }
  }

  private static void tell(String what, double[] nanos, String more) {
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%-42s %7.1f ns a pair (best %.1f), %.1f million/s%s%n",
        what,
        nanos[SAMPLES / 2],
        nanos[0],
        1e3 / nanos[SAMPLES / 2],
        more);
  }
}
