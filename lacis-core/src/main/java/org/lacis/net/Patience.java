package org.lacis.net;

/**
 * What a thread does that looks again and again: it spins, then yields, then sleeps for longer and
 * longer. Without an object, for waits that must not allocate.
 */
public final class Patience {

  /** For so many looks the processor does not pause: that takes as long as the look itself. */
  private static final int KEEN_LOOKS = 64;

  private static final int YIELDS = 200;
  private static final long FIRST_SLEEP_NANOS = 20_000;
  private static final long LONGEST_SLEEP_NANOS = 1_000_000;
  private static final int DOUBLINGS = 6;

  private Patience() {}

  /**
   * Spins or yields.
   *
   * @param looks how often nothing was found since something was
   * @param spins how often to look again at once before yielding
   * @return whether it is time to sleep instead
   */
  public static boolean step(int looks, int spins) {
    if (looks <= spins) {
      if (looks > KEEN_LOOKS) {
        Thread.onSpinWait();
      }
      return false;
    }
    if (looks <= spins + YIELDS) {
      Thread.yield();
      return false;
    }
    return true;
  }

  /**
   * How long to sleep, in nanoseconds: the first time shortest, then twice as long each time, up to
   * a millisecond.
   *
   * @param times how often it has slept since something was found
   */
  public static long sleepNanos(int times) {
    return Math.min(FIRST_SLEEP_NANOS << Math.min(times, DOUBLINGS), LONGEST_SLEEP_NANOS);
  }
}
