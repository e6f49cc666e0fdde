package org.lacis.trace.depth;

import java.util.Arrays;
import java.util.SortedMap;

/** Counts by number: the small ones in an array, so that counting one is cheap. */
final class Counter {
  private static final int SMALL = 1 << 12;

  private long[] small = new long[64];
  private final SortedMap<Integer, Long> others;
  private final int limit;

  /**
   * Makes one.
   *
   * @param others where large numbers are counted, and all in the end
   * @param limit of different large numbers; more are not counted
   */
  Counter(SortedMap<Integer, Long> others, int limit) {
    this.others = others;
    this.limit = limit;
  }

  void count(int number) {
    if (number >= 0 && number < SMALL) {
      if (number >= small.length) {
        small = Arrays.copyOf(small, Integer.highestOneBit(number) * 2);
      }
      small[number]++;
    } else if (others.size() < limit || others.containsKey(number)) {
      others.merge(number, 1L, Long::sum);
    }
  }

  void finish() {
    for (int i = 0; i < small.length; i++) {
      if (small[i] > 0) {
        others.put(i, small[i]);
      }
    }
  }
}
