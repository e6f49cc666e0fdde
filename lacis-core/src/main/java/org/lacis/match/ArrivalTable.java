package org.lacis.match;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages without a receive, each in all four indexes: a receive looks only into the one of its
 * class, where what it may take comes in the order it came in. It grows when more wait than ever
 * before, and never shrinks; for one thread at a time.
 */
final class ArrivalTable {

  private static final int NONE = -1;
  private static final int FIRST_CAPACITY = 64;

  private final int binBits;

  /** Which indexes are kept, a bit for each class. */
  private final int indexes;

  /** By index and bin: the oldest message + 1, and the youngest + 1. */
  private final int[] firsts;

  private final int[] lasts;

  private @Nullable MatchEntry[] entries = new MatchEntry[FIRST_CAPACITY];

  /** By message and index: the next one + 1, and the one before + 1. */
  private int[] nexts = new int[FIRST_CAPACITY * OrderedKeys.CLASSES];

  private int[] befores = new int[FIRST_CAPACITY * OrderedKeys.CLASSES];

  /** The places that are free are linked by this. */
  private int freePlace = NONE;

  private int used;
  private int size;

  /**
   * An empty table.
   *
   * @param bins of each index
   * @param indexes which classes of receives there are, a bit for each
   */
  ArrivalTable(int bins, int indexes) {
    this.binBits = Integer.numberOfTrailingZeros(bins);
    this.indexes = indexes;
    this.firsts = new int[Bins.count(bins)];
    this.lasts = new int[firsts.length];
  }

  int size() {
    return size;
  }

  /** Adds the youngest message. */
  void add(MatchEntry message) {
    int place = freePlace;
    if (place == NONE) {
      place = used++;
      if (place == entries.length) {
        grow();
      }
    } else {
      freePlace = nexts[place * OrderedKeys.CLASSES] - 1;
    }
    entries[place] = message;
    message.place = place;
    size++;
    for (int open = 0; open < OrderedKeys.CLASSES; open++) {
      if ((indexes >>> open & 1) != 0) {
        append(place, open, bin(open, message.key, message.hash));
      }
    }
  }

  private void append(int place, int open, int bin) {
    int link = place * OrderedKeys.CLASSES + open;
    int last = lasts[bin];
    nexts[link] = 0;
    befores[link] = last;
    if (last == 0) {
      firsts[bin] = place + 1;
    } else {
      nexts[(last - 1) * OrderedKeys.CLASSES + open] = place + 1;
    }
    lasts[bin] = place + 1;
  }

  private void grow() {
    int longer = 2 * entries.length;
    entries = Arrays.copyOf(entries, longer);
    nexts = Arrays.copyOf(nexts, longer * OrderedKeys.CLASSES);
    befores = Arrays.copyOf(befores, longer * OrderedKeys.CLASSES);
  }

  /** The oldest message that a receive matches; null if there is none. */
  @Nullable MatchEntry find(long receive) {
    if (size == 0) {
      return null;
    }
    int open = OrderedKeys.open(receive);
    int at = firsts[bin(open, receive, OrderedKeys.hash(receive))] - 1;
    while (at != NONE) {
      MatchEntry message = Objects.requireNonNull(entries[at]);
      if (OrderedKeys.as(open, message.key) == receive) {
        return message;
      }
      at = nexts[at * OrderedKeys.CLASSES + open] - 1;
    }
    return null;
  }

  /** How many messages {@link #find} looks at for a receive. */
  long searched(long receive) {
    MatchEntry found = find(receive);
    int open = OrderedKeys.open(receive);
    long count = 0;
    int at = firsts[bin(open, receive, OrderedKeys.hash(receive))] - 1;
    while (at != NONE) {
      count++;
      at = entries[at] == found ? NONE : nexts[at * OrderedKeys.CLASSES + open] - 1;
    }
    return count;
  }

  /** Removes a message that is here. */
  void remove(MatchEntry message) {
    int place = message.place;
    for (int open = 0; open < OrderedKeys.CLASSES; open++) {
      if ((indexes >>> open & 1) != 0) {
        unlink(place, open, bin(open, message.key, message.hash));
      }
    }
    message.place = MatchEntry.NOWHERE;
    entries[place] = null;
    nexts[place * OrderedKeys.CLASSES] = freePlace + 1;
    freePlace = place;
    size--;
  }

  /** Removes all and hands them out, those of one key in the order they came in. */
  void drain(Consumer<MatchEntry> taker) {
    for (int bin = 0; bin < 1 << binBits && size > 0; bin++) {
      for (int at = firsts[bin]; at != 0; at = firsts[bin]) {
        MatchEntry message = Objects.requireNonNull(entries[at - 1]);
        remove(message);
        taker.accept(message);
      }
    }
  }

  private void unlink(int place, int open, int bin) {
    int link = place * OrderedKeys.CLASSES + open;
    int next = nexts[link];
    int before = befores[link];
    if (before == 0) {
      firsts[bin] = next;
    } else {
      nexts[(before - 1) * OrderedKeys.CLASSES + open] = next;
    }
    if (next == 0) {
      lasts[bin] = before;
    } else {
      befores[(next - 1) * OrderedKeys.CLASSES + open] = before;
    }
  }

  private int bin(int open, long key, int hash) {
    return Bins.bin(binBits, open, key, hash);
  }
}
