package org.lacis.bench.subject;

import java.util.Arrays;

/**
 * Times of the same thing, each measured by itself. A core that is taken away for a while by other
 * work makes one of them long, not all.
 */
final class EachTime {
  private final long[] nanos;
  private int count;

  EachTime(long times) {
    nanos = new long[Math.toIntExact(times)];
  }

  void add(long time) {
    nanos[count++] = time;
  }

  /** What all would have taken together, had each taken as long as the one in the middle. */
  long middleTimesCount() {
    Arrays.sort(nanos, 0, count);
    return nanos[count / 2] * count;
  }
}
