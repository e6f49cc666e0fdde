package org.lacis.trace.replay;

import org.lacis.match.MatchEntry;
import org.lacis.match.OrderedKeys;

/** A receive or a message of a run that is played again. */
final class Entry extends MatchEntry {
  /** The number of the receive or of the message. */
  final int number;

  final boolean isReceive;

  /** The sender's rank in the world; ANY if a receive leaves it open. */
  final int peer;

  private Entry(int number, boolean isReceive, int peer, long key, int hash) {
    this.number = number;
    this.isReceive = isReceive;
    this.peer = peer;
    this.key = key;
    this.hash = hash;
  }

  static Entry receive(int number, int peer, int source, int tag) {
    int open =
        (source == Steps.ANY ? OrderedKeys.ANY_SOURCE : 0)
            + (tag == Steps.ANY ? OrderedKeys.ANY_TAG : 0);
    long key = OrderedKeys.key(open, Math.max(source, 0), Math.max(tag, 0));
    return new Entry(number, true, peer, key, 0);
  }

  long key() {
    return key;
  }

  int hash() {
    return hash;
  }

  static Entry message(int number, int peer, int source, int tag) {
    return new Entry(
        number, false, peer, OrderedKeys.key(source, tag), OrderedKeys.hash(source, tag));
  }
}
