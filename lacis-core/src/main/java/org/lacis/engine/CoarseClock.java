package org.lacis.engine;

/**
 * A clock that costs a load to look at: it stands still between the moments when progress, now and
 * then, or a thread that goes to sleep reads the real one. So it is late by some milliseconds while
 * somebody makes progress or waits, and by as long as nobody does.
 */
final class CoarseClock {

  /** It is not moved for less, so that its cache line stays with those who look. */
  private static final long STEP_NANOS = 10_000_000;

  /** Plain: who finds an old time takes something for a little older than it is. */
  private long now = System.nanoTime();

  /** The time of the last reading, as that of {@link System#nanoTime}. */
  long now() {
    return now;
  }

  /** Reads the real clock. */
  void read() {
    long real = System.nanoTime();
    if (real - now >= STEP_NANOS) {
      now = real;
    }
  }
}
