package org.lacis.match;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Entries in the order they came, linked through themselves; for one thread at a time. */
final class EntryList {

  private @Nullable MatchEntry first;
  private @Nullable MatchEntry last;
  private long size;

  boolean isEmpty() {
    return first == null;
  }

  long size() {
    return size;
  }

  @Nullable MatchEntry first() {
    return first;
  }

  /** Adds at the end. */
  void add(MatchEntry entry, int place) {
    entry.place = place;
    entry.next = null;
    entry.sibling = last;
    if (last == null) {
      first = entry;
    } else {
      last.next = entry;
    }
    last = entry;
    size++;
  }

  /** Removes an entry that is in this list. */
  void remove(MatchEntry entry) {
    MatchEntry before = entry.sibling;
    MatchEntry after = entry.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.sibling = before;
    }
    entry.next = null;
    entry.sibling = null;
    entry.place = MatchEntry.NOWHERE;
    size--;
  }

  /** The oldest receive that matches a message; null if there is none. */
  @Nullable MatchEntry receiveFor(long message) {
    MatchEntry at = first;
    while (at != null && !OrderedKeys.matches(at.key, message)) {
      at = at.next;
    }
    return at;
  }

  /** The same among the first few. */
  @Nullable MatchEntry receiveFor(long message, int few) {
    MatchEntry at = first;
    for (int left = few; at != null && left > 0; left--) {
      if (OrderedKeys.matches(at.key, message)) {
        return at;
      }
      at = at.next;
    }
    return null;
  }

  /** The oldest message that a receive matches; null if there is none. */
  @Nullable MatchEntry messageFor(long receive) {
    MatchEntry at = first;
    while (at != null && !OrderedKeys.matches(receive, at.key)) {
      at = at.next;
    }
    return at;
  }

  /** How many entries a search looks at that ends with this one; null: it has found none. */
  long upTo(@Nullable MatchEntry found) {
    if (found == null) {
      return size;
    }
    long count = 1;
    for (MatchEntry at = first; at != null && at != found; at = at.next) {
      count++;
    }
    return count;
  }

  /** Removes all and hands them out, the oldest first. */
  void drain(Consumer<MatchEntry> taker) {
    for (MatchEntry at = first; at != null; at = first) {
      remove(at);
      taker.accept(at);
    }
  }
}
