package org.lacis.match;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Posted receives in a table of fixed size, found by four indexes: by source and tag, by source, by
 * tag, and one list of those that take anything.
 *
 * <pre>
 *  bins    one word each     63: a thread removes here    61..31 first + 1    30..0 last + 1
 *
 *  receive 0  key       2  bookings: a bit per message of the block     4  state      6  bin
 *          1  label     3  next + 1                                     5  sequence     7  before + 1
 * </pre>
 *
 * <p>Labels count up with each receive: the least is the oldest. Receives that are posted one after
 * the other with the same key are a sequence; all of it is in one bin, without others in between,
 * and its labels have no gaps that a block could count across: if a receive is removed from the
 * middle of one, those in front of it, as many as a block has messages, go by its label from then
 * on. Others go by the label of their first receive.
 *
 * <p>For one thread that is alone. Those of a block, which are there at once, have {@link
 * BlockReceives}.
 */
final class ReceiveTable {

  static final int NONE = -1;

  /** Words of a receive. */
  static final int STRIDE = 8;

  static final int KEY = 0;
  static final int LABEL = 1;
  static final int BOOKINGS = 2;
  static final int NEXT = 3;
  static final int STATE = 4;
  static final int SEQUENCE = 5;
  static final int BIN = 6;
  private static final int BEFORE = 7;

  static final int POSTED = 0;
  static final int CONSUMED = 1;

  /** Consumed, and not in its bin any more. */
  static final int REMOVED = 2;

  static final long REMOVING = 1L << 63;
  private static final long HALF = 0x7fff_ffffL;

  private final int capacity;
  private final int binBits;
  final SharedWords words;
  final SharedWords bins;
  private final @Nullable MatchEntry[] entries;

  /** Receives of each class: an index without any is not searched. */
  final int[] counts = new int[OrderedKeys.CLASSES];

  /** Free places, the one to be used next last. */
  private final int[] free;

  private int freeCount;
  private long label;
  private long sequence;
  private long lastKey = -1;

  ReceiveTable(int bins, int capacity) {
    this(
        bins, capacity, new SharedWords(receiveWords(capacity)), new SharedWords(Bins.count(bins)));
  }

  ReceiveTable(int bins, int capacity, SharedWords words, SharedWords binWords) {
    this.capacity = capacity;
    this.binBits = Integer.numberOfTrailingZeros(bins);
    this.words = words;
    this.bins = binWords;
    this.entries = new MatchEntry[capacity];
    this.free = new int[capacity];
    for (int i = 0; i < capacity; i++) {
      free[i] = capacity - 1 - i;
    }
    this.freeCount = capacity;
  }

  /** How many words the receives take. */
  static int receiveWords(int capacity) {
    return capacity * STRIDE;
  }

  int size() {
    return capacity - freeCount;
  }

  boolean isEmpty() {
    return freeCount == capacity;
  }

  boolean isFull() {
    return freeCount == 0;
  }

  int bin(int open, long key, int hash) {
    return Bins.bin(binBits, open, key, hash);
  }

  static int first(long bin) {
    return (int) (bin >>> 31 & HALF) - 1;
  }

  private static int last(long bin) {
    return (int) (bin & HALF) - 1;
  }

  private static long bin(int first, int last) {
    return (long) (first + 1) << 31 | (last + 1);
  }

  static int at(int receive, int word) {
    return receive * STRIDE + word;
  }

  /** Adds the youngest receive; there must be room. */
  void add(MatchEntry entry) {
    long key = entry.key;
    int open = OrderedKeys.open(key);
    int bin = bin(open, key, OrderedKeys.hash(key));
    int added = free[--freeCount];
    if (key != lastKey) {
      sequence = label;
      lastKey = key;
    }
    words.plain(at(added, KEY), key);
    words.plain(at(added, LABEL), label++);
    words.plain(at(added, NEXT), 0);
    words.plain(at(added, STATE), POSTED);
    words.plain(at(added, SEQUENCE), sequence);
    words.plain(at(added, BIN), bin);
    entries[added] = entry;
    entry.place = added;
    counts[open]++;
    long word = bins.plain(bin);
    int last = last(word);
    words.plain(at(added, BEFORE), last + 1L);
    if (last == NONE) {
      bins.plain(bin, bin(added, added));
    } else {
      words.plain(at(last, NEXT), added + 1L);
      bins.plain(bin, bin(first(word), added));
    }
  }

  /** Removes a receive, and gives its place back. */
  MatchEntry take(int receive) {
    int bin = (int) words.plain(at(receive, BIN));
    long state = words.plain(at(receive, STATE));
    if (state == POSTED) {
      unlink(bin, receive);
    } else if (state == CONSUMED) {
      sweep(bin, bins.plain(bin), receive);
    }
    MatchEntry entry = entry(receive);
    entry.place = MatchEntry.NOWHERE;
    entries[receive] = null;
    counts[OrderedKeys.open(words.plain(at(receive, KEY)))]--;
    free[freeCount++] = receive;
    return entry;
  }

  private void unlink(int bin, int receive) {
    long word = bins.plain(bin);
    int next = next(receive);
    int before = before(receive);
    if (before != NONE) {
      cut(receive, before);
      words.plain(at(before, NEXT), next + 1L);
    }
    if (next != NONE) {
      words.plain(at(next, BEFORE), before + 1L);
    }
    bins.plain(bin, bin(before == NONE ? next : first(word), next == NONE ? before : last(word)));
  }

  /**
   * Ends the sequence in front of a receive that is removed. The part in front gets the new name,
   * as what is posted next may belong to the other; what is further away than a block has messages
   * is never counted from to behind the gap.
   */
  private void cut(int receive, int before) {
    long label = words.plain(at(receive, LABEL));
    long sequence = words.plain(at(receive, SEQUENCE));
    int at = before;
    while (at != NONE
        && words.plain(at(at, SEQUENCE)) == sequence
        && label - words.plain(at(at, LABEL)) < MatchBlock.MAX) {
      words.plain(at(at, SEQUENCE), label);
      at = before(at);
    }
  }

  private int before(int receive) {
    return (int) words.plain(at(receive, BEFORE)) - 1;
  }

  private int next(int receive) {
    return (int) words.plain(at(receive, NEXT)) - 1;
  }

  /** Removes all and hands them out, those of one key in the order they were posted. */
  void drain(Consumer<MatchEntry> taker) {
    for (int bin = 0; bin <= 3 << binBits && size() > 0; bin++) {
      for (int at = first(bins.plain(bin)); at != NONE; at = first(bins.plain(bin))) {
        taker.accept(take(at));
      }
    }
  }

  /** Forgets the bookings of a block. */
  void clearBookings(int receive) {
    words.plain(at(receive, BOOKINGS), 0);
  }

  MatchEntry entry(int receive) {
    return Objects.requireNonNull(entries[receive]);
  }

  /** The oldest receive that matches a message; {@link #NONE} if there is none. */
  int find(long key, int hash) {
    int found = NONE;
    for (int open = 0; open < OrderedKeys.CLASSES; open++) {
      if (counts[open] > 0) {
        found = older(found, find(bin(open, key, hash), OrderedKeys.as(open, key)));
      }
    }
    return found;
  }

  private int find(int bin, long key) {
    int at = first(bins.plain(bin));
    while (at != NONE && words.plain(at(at, KEY)) != key) {
      at = next(at);
    }
    return at;
  }

  /** How many receives {@link #find} looks at for a message, in all indexes. */
  long searched(long key, int hash) {
    long count = 0;
    for (int open = 0; open < OrderedKeys.CLASSES; open++) {
      if (counts[open] > 0) {
        int bin = bin(open, key, hash);
        int found = find(bin, OrderedKeys.as(open, key));
        int at = first(bins.plain(bin));
        while (at != NONE) {
          count++;
          at = at == found ? NONE : next(at);
        }
      }
    }
    return count;
  }

  /** Of two receives, or none, the one that was posted first. */
  int older(int one, int other) {
    if (one == NONE || other == NONE) {
      return one == NONE ? other : one;
    }
    return words.plain(at(one, LABEL)) < words.plain(at(other, LABEL)) ? one : other;
  }

  /** Removes what is consumed from a bin that the caller has, up to a receive; lets it go. */
  void sweep(int bin, long word, int upTo) {
    int first = first(word);
    int last = last(word);
    int before = NONE;
    for (int at = first; at != NONE; ) {
      int next = (int) words.getAcquire(at(at, NEXT)) - 1;
      if (words.getAcquire(at(at, STATE)) == CONSUMED) {
        if (before == NONE) {
          first = next;
        } else {
          words.setRelease(at(before, NEXT), next + 1L);
        }
        if (next != NONE) {
          words.plain(at(next, BEFORE), before + 1L);
        }
        last = at == last ? before : last;
        words.setRelease(at(at, STATE), REMOVED);
      } else {
        before = at;
      }
      at = at == upTo ? NONE : next;
    }
    bins.setRelease(bin, bin(first, last));
  }
}
