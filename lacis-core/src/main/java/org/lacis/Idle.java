package org.lacis;

import java.util.concurrent.locks.LockSupport;
import org.lacis.net.Patience;

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

  private final int spins;
  private int idle;
  private int slept;

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
      slept = 0;
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
    return Patience.step(++idle, spins);
  }

  /** How long to sleep now, in nanoseconds; each call doubles the next one, up to a millisecond. */
  public long sleepNanos() {
    return Patience.sleepNanos(slept++);
  }
}
