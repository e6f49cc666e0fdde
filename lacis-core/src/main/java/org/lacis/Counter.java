package org.lacis;

import java.time.Duration;

/**
 * Counts completions, and failures among them; keeps nothing else. Any number of threads may signal
 * and wait.
 */
public interface Counter extends Completion {

  /** Completions so far, failed ones included. */
  long count();

  /** Failures so far. */
  long failures();

  /** What it is and how it is doing, for people to read. */
  Info info();

  /**
   * Waits until the count is at least so high, making progress meanwhile. Failures count, and are
   * not thrown: look at {@link #failures()}.
   *
   * @param count the number of completions since the counter was made
   * @throws LacisException if the runtime is closed meanwhile
   */
  void await(long count);

  /**
   * Waits at most so long.
   *
   * @param count the number of completions since the counter was made
   * @param limit how long to wait
   * @return whether it was reached in time
   */
  boolean await(long count, Duration limit);
}
