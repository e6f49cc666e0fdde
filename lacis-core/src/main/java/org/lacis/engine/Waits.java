package org.lacis.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The threads that have waited in the runtime for long; the others are not worth the list. */
final class Waits {

  /** After this a wait is listed. */
  static final long LONG_NANOS = 50_000_000;

  private final CoarseClock clock;
  private final Set<Wait> all = ConcurrentHashMap.newKeySet();

  Waits(CoarseClock clock) {
    this.clock = clock;
  }

  /** A thread that waits. */
  static final class Wait {
    final Thread thread = Thread.currentThread();
    final Supplier<String> what;
    final long since;

    private Wait(Supplier<String> what, long since) {
      this.what = what;
      this.since = since;
    }
  }

  /** Whether a wait that has begun then, by the coarse clock, is to be listed. */
  boolean isLong(long begin) {
    return clock.now() - begin >= LONG_NANOS;
  }

  /**
   * Lists the caller, until {@link #end}.
   *
   * @param what what it waits for, asked by other threads
   */
  Wait begin(Supplier<String> what, long since) {
    Wait wait = new Wait(what, since);
    all.add(wait);
    return wait;
  }

  void end(Wait wait) {
    all.remove(wait);
  }

  /** Those that wait now. */
  Iterable<Wait> all() {
    return all;
  }
}
