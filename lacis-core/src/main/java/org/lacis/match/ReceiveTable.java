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
 *          1  label     3  next + 1                                     5  sequence
 * </pre>
 *
 * <p>Labels count up with each receive: the least is the oldest. Receives that are posted one after
 * the other with the same key are a sequence; all of it is in one bin, without others in between.
 *
 * <p>{@link #find}, {@link #inSequence}, {@link #book}, {@link #bookings}, {@link #consume} and
 * {@link #tidy} may be called by all threads of a block at once. The others are for one thread that
 * is alone.
 */
final class ReceiveTable {

  static final int NONE = -1;

  /** Words of a receive. */
  private static final int STRIDE = 8;

  private static final int KEY = 0;
  private static final int LABEL = 1;
  private static final int BOOKINGS = 2;
  private static final int NEXT = 3;
  private static final int STATE = 4;
  private static final int SEQUENCE = 5;
  private static final int BIN = 6;

  private static final int POSTED = 0;
  private static final int CONSUMED = 1;

  /** Consumed, and not in its bin any more. */
  private static final int REMOVED = 2;

  private static final long REMOVING = 1L << 63;
  private static final long HALF = 0x7fff_ffffL;

  private final int capacity;
  private final int binBits;
  private final SharedWords words;
  private final SharedWords bins;
  private final @Nullable MatchEntry[] entries;

  /** Receives of each class: an index without any is not searched. */
  private final int[] counts = new int[OrderedKeys.CLASSES];

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

  boolean isFull() {
    return freeCount == 0;
  }

  private int bin(int open, long key, int hash) {
    return Bins.bin(binBits, open, key, hash);
  }

  private static int first(long bin) {
    return (int) (bin >>> 31 & HALF) - 1;
  }

  private static int last(long bin) {
    return (int) (bin & HALF) - 1;
  }

  private static long bin(int first, int last) {
    return (long) (first + 1) << 31 | (last + 1);
  }

  private static int at(int receive, int word) {
    return receive * STRIDE + word;
  }

  // ---- alone

  /** Adds the youngest receive; there must be room. */
  void add(MatchEntry entry) {
    long key = entry.key;
    int open = OrderedKeys.open(key);
    int bin = bin(open, key, OrderedKeys.hash(key));
    int added = free[--freeCount];
    if (key != lastKey) {
      sequence++;
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
    if (last == NONE) {
      bins.plain(bin, bin(added, added));
    } else {
      words.plain(at(last, NEXT), added + 1L);
      bins.plain(bin, bin(first(word), added));
    }
  }

  /** Removes a receive, and gives its place back. */
  MatchEntry take(int receive) {
    if (words.plain(at(receive, STATE)) == POSTED) {
      words.plain(at(receive, STATE), CONSUMED);
    }
    int bin = (int) words.plain(at(receive, BIN));
    if (words.plain(at(receive, STATE)) == CONSUMED) {
      sweep(bin, bins.plain(bin), receive);
    }
    MatchEntry entry = entry(receive);
    entry.place = MatchEntry.NOWHERE;
    entries[receive] = null;
    counts[OrderedKeys.open(words.plain(at(receive, KEY)))]--;
    free[freeCount++] = receive;
    return entry;
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

  // ---- by all threads of a block

  MatchEntry entry(int receive) {
    return Objects.requireNonNull(entries[receive]);
  }

  /**
   * The oldest receive that matches a message and is not consumed.
   *
   * @param passOver those that one of these messages has booked are left out
   * @return {@link #NONE} if there is none
   */
  int find(long key, int hash, long passOver) {
    int found = NONE;
    for (int open = 0; open < OrderedKeys.CLASSES; open++) {
      if (counts[open] > 0) {
        found = older(found, find(bin(open, key, hash), OrderedKeys.as(open, key), passOver));
      }
    }
    return found;
  }

  private int find(int bin, long key, long passOver) {
    int at = first(bins.getAcquire(bin));
    while (at != NONE && !isCandidate(at, key, passOver)) {
      at = next(at);
    }
    return at;
  }

  /** How many receives {@link #find} looks at for a message, in all indexes; for one thread. */
  long searched(long key, int hash) {
    long count = 0;
    for (int open = 0; open < OrderedKeys.CLASSES; open++) {
      if (counts[open] > 0) {
        int bin = bin(open, key, hash);
        int found = find(bin, OrderedKeys.as(open, key), 0);
        int at = first(bins.plain(bin));
        while (at != NONE) {
          count++;
          at = at == found ? NONE : next(at);
        }
      }
    }
    return count;
  }

  private boolean isCandidate(int receive, long key, long passOver) {
    return words.plain(at(receive, KEY)) == key
        && words.getAcquire(at(receive, STATE)) == POSTED
        && (passOver == 0 || (words.getAcquire(at(receive, BOOKINGS)) & passOver) == 0);
  }

  private int older(int one, int other) {
    if (one == NONE || other == NONE) {
      return one == NONE ? other : one;
    }
    return words.plain(at(one, LABEL)) < words.plain(at(other, LABEL)) ? one : other;
  }

  private int next(int receive) {
    return (int) words.getAcquire(at(receive, NEXT)) - 1;
  }

  /**
   * The receive that is so many places behind one in its sequence; {@link #NONE} if the sequence is
   * shorter. It goes by labels, as those in between may be removed meanwhile.
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
      sweep(bin, word, receive);
    }
    return true;
  }

  /** Removes what is consumed from a bin that the caller has, up to a receive; lets it go. */
  private void sweep(int bin, long word, int upTo) {
    int first = first(word);
    int last = last(word);
    int before = NONE;
    for (int at = first; at != NONE; ) {
      int next = next(at);
      if (words.getAcquire(at(at, STATE)) == CONSUMED) {
        if (before == NONE) {
          first = next;
        } else {
          words.setRelease(at(before, NEXT), next + 1L);
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
