package org.lacis.match;

import static org.lacis.match.ReceiveTable.BIN;
import static org.lacis.match.ReceiveTable.BOOKINGS;
import static org.lacis.match.ReceiveTable.CONSUMED;
import static org.lacis.match.ReceiveTable.KEY;
import static org.lacis.match.ReceiveTable.LABEL;
import static org.lacis.match.ReceiveTable.NEXT;
import static org.lacis.match.ReceiveTable.NONE;
import static org.lacis.match.ReceiveTable.POSTED;
import static org.lacis.match.ReceiveTable.REMOVED;
import static org.lacis.match.ReceiveTable.REMOVING;
import static org.lacis.match.ReceiveTable.SEQUENCE;
import static org.lacis.match.ReceiveTable.STATE;
import static org.lacis.match.ReceiveTable.at;
import static org.lacis.match.ReceiveTable.first;

/**
 * The receives of a {@link ReceiveTable} as the threads of a block have them, all at once: none is
 * added meanwhile, and places are given back only afterwards.
 */
final class BlockReceives {

  /** Words between the counts of two messages. */
  private static final int APART = MatchBlock.APART;

  private final ReceiveTable table;
  private final SharedWords words;
  private final SharedWords bins;

  /** By message: receives that it has passed over. */
  private final long[] passedOver = new long[(MatchBlock.MAX + 1) * APART];

  BlockReceives(ReceiveTable table) {
    this.table = table;
    this.words = table.words;
    this.bins = table.bins;
  }

  /** How many receives were passed over since one before had booked them; between blocks. */
  long passedOver() {
    long sum = 0;
    for (long count : passedOver) {
      sum += count;
    }
    return sum;
  }

  /**
   * The oldest receive that matches a message and is not consumed.
   *
   * @param message receives that one of the messages before it has booked are passed over; 0 for
   *     none
   * @return {@link ReceiveTable#NONE} if there is none
   */
  int find(long key, int hash, int message) {
    int found = NONE;
    for (int open = 0; open < OrderedKeys.CLASSES; open++) {
      if (table.counts[open] > 0) {
        int bin = table.bin(open, key, hash);
        found = table.older(found, findIn(bin, OrderedKeys.as(open, key), message));
      }
    }
    return found;
  }

  private int findIn(int bin, long key, int message) {
    int at = first(bins.getAcquire(bin));
    while (at != NONE && !isCandidate(at, key, message)) {
      at = next(at);
    }
    return at;
  }

  private boolean isCandidate(int receive, long key, int message) {
    if (words.plain(at(receive, KEY)) != key || words.getAcquire(at(receive, STATE)) != POSTED) {
      return false;
    }
    if (message == 0 || (bookings(receive) & ((1L << message) - 1)) == 0) {
      return true;
    }
    passedOver[message * APART]++;
    return false;
  }

  private int next(int receive) {
    return (int) words.getAcquire(at(receive, NEXT)) - 1;
  }

  /**
   * The receive that is so many places behind one in its sequence; {@link ReceiveTable#NONE} if the
   * sequence is shorter. It goes by labels, which have no gaps when the block begins, as those in
   * between may be removed meanwhile.
   */
  int inSequence(int start, int places) {
    long wanted = words.plain(at(start, LABEL)) + places;
    int at = start;
    while (at != NONE && words.plain(at(at, LABEL)) < wanted) {
      at = next(at);
    }
    return at != NONE
            && words.plain(at(at, LABEL)) == wanted
            && words.plain(at(at, SEQUENCE)) == words.plain(at(start, SEQUENCE))
        ? at
        : NONE;
  }

  /** Books a receive for the message with this bit. */
  void book(int receive, long bit) {
    words.set(at(receive, BOOKINGS), bit);
  }

  /** Which messages have booked a receive. */
  long bookings(int receive) {
    return words.getAcquire(at(receive, BOOKINGS));
  }

  /** The caller has the receive: nobody else is given it. */
  void consume(int receive) {
    words.setRelease(at(receive, STATE), CONSUMED);
  }

  /** As {@link #consume}, unless another thread has it. */
  boolean tryConsume(int receive) {
    return words.compareAndSet(at(receive, STATE), POSTED, CONSUMED);
  }

  /**
   * Takes a consumed receive out of its bin, and others in front of it; false if another thread is
   * at work in that bin, and it stays for later. Who looks through the bin meanwhile finds its way:
   * the links of what is removed stay, and places are given back only between blocks.
   */
  boolean tidy(int receive) {
    int bin = (int) words.plain(at(receive, BIN));
    long word = bins.getAcquire(bin);
    if (word < 0 || !bins.compareAndSet(bin, word, word | REMOVING)) {
      return false;
    }
    if (words.getAcquire(at(receive, STATE)) == REMOVED) {
      bins.setRelease(bin, word);
    } else {
      table.sweep(bin, word, receive);
    }
    return true;
  }
}
