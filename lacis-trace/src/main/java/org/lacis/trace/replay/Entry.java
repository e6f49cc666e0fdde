package org.lacis.trace.replay;

import org.lacis.match.MatchEntry;
import org.lacis.match.OrderedKeys;

/** A receive or a message of a run that is played again. */
final class Entry extends MatchEntry {
  /** The number of the receive or of the message. */
  final int number;

  private Entry(int number, long key, int hash) {
    this.number = number;
    this.key = key;
    this.hash = hash;
  }

  static Entry receive(int number, int source, int tag) {
    int open =
        (source == Steps.ANY ? OrderedKeys.ANY_SOURCE : 0)
            + (tag == Steps.ANY ? OrderedKeys.ANY_TAG : 0);
    return new Entry(number, OrderedKeys.key(open, Math.max(source, 0), Math.max(tag, 0)), 0);
  }

  long key() {
    return key;
  }

  int hash() {
    return hash;
  }

  static Entry message(int number, int source, int tag) {
    return new Entry(number, OrderedKeys.key(source, tag), OrderedKeys.hash(source, tag));
  }
}
