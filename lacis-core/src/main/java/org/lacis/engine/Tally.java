package org.lacis.engine;

import org.jspecify.annotations.Nullable;

/**
 * Receives that have come for a counter, one behind the other: the counter is told of all at once,
 * before anything else is told, or the progress call ends. By the thread that makes progress.
 */
final class Tally {

  private @Nullable Count counter;
  private long receives;

  void add(Count to) {
    if (to != counter) {
      settle();
      counter = to;
    }
    receives++;
  }

  /** Tells the counter. */
  void settle() {
    Count told = counter;
    if (told != null) {
      counter = null;
      long n = receives;
      receives = 0;
      told.signal(n);
    }
  }
}
