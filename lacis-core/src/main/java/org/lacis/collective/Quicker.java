package org.lacis.collective;

/**
 * Which of two ways to do the same was quicker lately; now and then it has the other one tried. For
 * code that the compiler makes much of in one program and little in another.
 */
final class Quicker {

  /** One time in so many is for the slower one. */
  private static final int TRIED = 32;

  private long firstNanos;
  private long secondNanos;
  private int times;

  /** Whether to take the second way this time. */
  boolean second() {
    boolean quicker = secondNanos <= firstNanos;
    return ++times % TRIED == 0 ? !quicker : quicker;
  }

  /** How long it took. */
  void took(boolean second, long nanos) {
    if (second) {
      secondNanos = smooth(secondNanos, nanos);
    } else {
      firstNanos = smooth(firstNanos, nanos);
    }
  }

  /**
   * Follows shorter times at once, as code is compiled, and longer ones slowly: most are accidents.
   */
  private static long smooth(long before, long nanos) {
    return before == 0 || nanos < before
        ? nanos
        : before + (Math.min(nanos, 2 * before) - before) / 8;
  }
}
