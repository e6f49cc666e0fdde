package org.lacis;

import java.util.concurrent.locks.LockSupport;

/**
 * What to do in a loop of your own when there is nothing to do: spin briefly, then yield, then
 * sleep for longer and longer. From {@link Lacis#newIdle()}; for one thread.
 *
 * <pre>{@code
 * var idle = lacis.newIdle();
 * while (lacis.send(1, message, 0, done).isRetry()) {
 *   idle.after(lacis.progress());
 * }
 * idle.reset(); // there was room: start with spinning the next time
 * }</pre>
 */
public final class Idle {

  private static final int YIELDS = 200;
  private static final long FIRST_SLEEP_NANOS = 20_000;
  private static final long LONGEST_SLEEP_NANOS = 1_000_000;

  private final int spins;
  private int idle;
  private long sleep = FIRST_SLEEP_NANOS;

  /**
   * Makes one.
   *
   * @param spins how often to look again at once before yielding
   */
  public Idle(int spins) {
    if (spins < 0) {
      throw new IllegalArgumentException("spins must not be negative, but is " + spins);
    }
    this.spins = spins;
  }

  /**
   * Does nothing if there was work; otherwise spins, yields or sleeps, at most a millisecond.
   *
   * @param work how much was done: what {@link Device#progress()} has answered
   */
  public void after(int work) {
    if (step(work)) {
      LockSupport.parkNanos(this, sleepNanos());
    }
  }

  /** Starts over with spinning: what was waited for has come. */
  public void reset() {
    // Looked at first: in a loop that posts, a store more is dearer than a load.
    if (idle != 0) {
      idle = 0;
      sleep = FIRST_SLEEP_NANOS;
    }
  }

  /**
   * As {@link #after}, but leaves sleeping to the caller.
   *
   * @param work how much was done
   * @return whether it is time to sleep, for {@link #sleepNanos()}
   */
  public boolean step(int work) {
    if (work > 0) {
      reset();
      return false;
    }
    int n = ++idle;
    if (n <= spins) {
      Thread.onSpinWait();
      return false;
    }
    if (n <= spins + YIELDS) {
      Thread.yield();
      return false;
    }
    return true;
  }

  /** How long to sleep now, in nanoseconds; each call doubles the next one, up to a millisecond. */
  public long sleepNanos() {
    long now = sleep;
    sleep = Math.min(2 * now, LONGEST_SLEEP_NANOS);
    return now;
  }
}
