package org.lacis.stress;

import org.jspecify.annotations.Nullable;
import org.lacis.match.HashMatcher;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;

/** A match entry with a plain field, and insertions that try until the bucket is free. */
final class Entry extends MatchEntry {

  /** Written before the insertion, read after the match. */
  int payload;

  Entry(long key) {
    this.key = key;
  }

  long key() {
    return key;
  }

  void key(long key) {
    this.key = key;
  }

  /** Everything meets in one bucket. */
  static Matcher matcher() {
    return new HashMatcher(1);
  }

  /** Inserts a receive of a payload; the arrival it matched, if there was one. */
  static @Nullable Entry receive(Matcher matcher, Entry entry, int payload) {
    entry.payload = payload;
    MatchEntry match = matcher.insertReceive(entry);
    while (isBusy(match)) {
      match = matcher.insertReceive(entry);
    }
    return (Entry) match;
  }

  /** Inserts an arrival of a payload; the receive it matched, if there was one. */
  static @Nullable Entry arrive(Matcher matcher, Entry entry, int payload) {
    entry.payload = payload;
    MatchEntry match = matcher.insertArrival(entry);
    while (isBusy(match)) {
      match = matcher.insertArrival(entry);
    }
    return (Entry) match;
  }

  /** Takes a receive, if there is one. */
  static @Nullable Entry take(Matcher matcher, long key) {
    MatchEntry match = matcher.takeReceive(key, 0);
    while (isBusy(match)) {
      match = matcher.takeReceive(key, 0);
    }
    return (Entry) match;
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isBusy(@Nullable MatchEntry answer) {
    if (answer != Matcher.BUSY) {
      return false;
    }
    Thread.onSpinWait();
    return true;
  }

  /** The payload of a match, or 0 if there was none. */
  static int payload(@Nullable Entry match) {
    return match == null ? 0 : match.payload;
  }

  /** What still waits: receives in the tens, arrivals in the ones. */
  static int waiting(Matcher matcher) {
    return (int) (10 * matcher.receives() + matcher.arrivals());
  }
}
