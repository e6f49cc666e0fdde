package org.lacis.match;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ordered matching whose time does not grow with what waits. Receives are in one of four indexes,
 * by what they leave open, and labelled with their age; a message looks into all of them that are
 * not empty, and takes the oldest receive. Messages without a receive are in all four.
 *
 * <p>The table of receives has a fixed size. When it is full, receives are kept in a list until
 * there is room again: all of the list are younger than all of the table, so order is not lost.
 *
 * <p>Messages that come in the order of their receives need no table. A patient matcher keeps
 * receives in the list while the table is empty, and puts them into the table when a message does
 * not match one of the first few. So each is moved once at most; and after that has happened, some
 * more go into the table at once.
 *
 * <p>Used as it is, a message is matched by the thread that brings it. A {@link BlockMatcher}
 * matches many at once.
 */
public final class OrderedMatcher extends LockedMatcher {

  /** The most bins of an index: senders make hashes of so many bits. */
  public static final int MAX_BINS = 1 << OrderedKeys.HASH_BITS;

  /** The largest table. */
  public static final int MAX_RECEIVES = 1 << 24;

  /** Where a receive is that is in the list. */
  private static final int IN_LIST = Integer.MAX_VALUE;

  /** How many receives a message is compared with before they go into the table. */
  private static final int FRONT = 4;

  /** How many times as many receives as were moved go into the table at once. */
  private static final int ONCE_MORE = 8;

  final ReceiveTable table;
  private final ArrivalTable messages;
  private final EntryList list = new EntryList();
  final boolean overtaking;
  private final boolean patient;

  /** How many receives are to go into the table, even if it is empty. */
  private long atOnce;

  /** Receives that found the table full, and those of them that came to it later. */
  private long fallbacks;

  private long returns;

  /**
   * A matcher for receives that leave open what they like.
   *
   * @param bins of each index, a power of two up to {@link #MAX_BINS}
   * @param maxReceives the size of the table, 1 to {@link #MAX_RECEIVES}
   */
  public OrderedMatcher(int bins, int maxReceives) {
    this(bins, maxReceives, OrderedKeys.ANY_SOURCE | OrderedKeys.ANY_TAG, false, false);
  }

  /**
   * A matcher.
   *
   * @param bins of each index, a power of two up to {@link #MAX_BINS}
   * @param maxReceives the size of the table, 1 to {@link #MAX_RECEIVES}
   * @param open what receives may leave open, {@link OrderedKeys#ANY_SOURCE} and {@link
   *     OrderedKeys#ANY_TAG} added up; messages are not put into indexes that nobody looks into
   * @param overtaking whether a block of messages may be matched in any order
   * @param patient whether receives wait outside of the table as long as messages come in their
   *     order; not for a {@link BlockMatcher}
   */
  public OrderedMatcher(int bins, int maxReceives, int open, boolean overtaking, boolean patient) {
    this(
        checked(bins, maxReceives), new ReceiveTable(bins, maxReceives), open, overtaking, patient);
  }

  OrderedMatcher(int bins, ReceiveTable table, int open, boolean overtaking) {
    this(bins, table, open, overtaking, false);
  }

  private OrderedMatcher(
      int bins, ReceiveTable table, int open, boolean overtaking, boolean patient) {
    int indexes = 0;
    for (int index = 0; index < OrderedKeys.CLASSES; index++) {
      indexes |= (index & ~open) == 0 ? 1 << index : 0;
    }
    this.table = table;
    this.messages = new ArrivalTable(bins, indexes);
    this.overtaking = overtaking;
    this.patient = patient;
  }

  private static int checked(int bins, int maxReceives) {
    if (bins < 1 || bins > MAX_BINS || Integer.bitCount(bins) != 1) {
      throw new IllegalArgumentException(
          "bins must be a power of two from 1 to " + MAX_BINS + ", but is " + bins);
    }
    if (maxReceives < 1 || maxReceives > MAX_RECEIVES) {
      throw new IllegalArgumentException(
          "maxReceives must be 1 to " + MAX_RECEIVES + ", but is " + maxReceives);
    }
    return bins;
  }

  /** How many receives have found the table full so far, and were kept in the list. */
  public long fallbacks() {
    hold();
    try {
      return fallbacks;
    } finally {
      letGo();
    }
  }

  /** How many receives have come from the list to the table so far, as there was room again. */
  public long returns() {
    hold();
    try {
      return returns;
    } finally {
      letGo();
    }
  }

  @Override
  @Nullable MatchEntry post(MatchEntry receive) {
    MatchEntry message = messages.find(receive.key);
    if (message != null) {
      messages.remove(message);
      return message;
    }
    receive.receive = true;
    if (!list.isEmpty() || waits()) {
      list.add(receive, IN_LIST);
      fallbacks += table.isEmpty() ? 0 : 1;
    } else {
      table.add(receive);
    }
    return null;
  }

  /** Whether the next receive goes into the list, which is empty. */
  private boolean waits() {
    if (atOnce > 0) {
      atOnce--;
    } else if (patient && table.isEmpty()) {
      return true;
    }
    return table.isFull();
  }

  @Override
  @Nullable MatchEntry arrive(MatchEntry message) {
    MatchEntry receive = receiveFor(message.key, message.hash);
    if (receive == null) {
      keep(message);
    }
    return receive;
  }

  /** Keeps a message that no receive matches. */
  void keep(MatchEntry message) {
    message.receive = false;
    messages.add(message);
  }

  @Override
  @Nullable MatchEntry receiveFor(long key, int hash) {
    if (patient && table.isEmpty() && !list.isEmpty()) {
      MatchEntry early = list.receiveFor(key, FRONT);
      if (early != null) {
        list.remove(early);
        return early;
      }
      if (list.size() <= FRONT) {
        return null;
      }
      index();
    }
    int found = table.find(key, hash);
    if (found == ReceiveTable.NONE) {
      return listed(key);
    }
    MatchEntry receive = table.take(found);
    refill();
    return receive;
  }

  /** Puts receives into the table that have waited outside while it was empty. */
  private void index() {
    long moved = returns;
    refill();
    moved = returns - moved;
    returns -= moved;
    fallbacks += list.size();
    atOnce = ONCE_MORE * moved;
  }

  /** Removes the oldest receive of the list that matches a message. */
  @Nullable MatchEntry listed(long key) {
    MatchEntry receive = list.receiveFor(key);
    if (receive != null) {
      list.remove(receive);
    }
    return receive;
  }

  /** Moves the oldest receives of the list into the table, as long as there is room. */
  void refill() {
    for (MatchEntry next = list.first(); next != null && !table.isFull(); next = list.first()) {
      list.remove(next);
      table.add(next);
      returns++;
    }
  }

  @Override
  @Nullable MatchEntry messageFor(long key) {
    return messages.find(key);
  }

  @Override
  long receivesSearched(long key, int hash) {
    long inTable = table.searched(key, hash);
    return table.find(key, hash) == ReceiveTable.NONE
        ? inTable + list.upTo(list.receiveFor(key))
        : inTable;
  }

  @Override
  long messagesSearched(long key) {
    return messages.searched(key);
  }

  @Override
  void unlink(MatchEntry entry) {
    if (!entry.receive) {
      messages.remove(entry);
    } else if (entry.place == IN_LIST) {
      list.remove(entry);
    } else {
      table.take(entry.place);
      refill();
    }
  }

  @Override
  void empty(Consumer<MatchEntry> taker) {
    table.drain(taker);
    list.drain(taker);
    messages.drain(taker);
  }

  @Override
  long receiveCount() {
    return table.size() + list.size();
  }

  @Override
  long arrivalCount() {
    return messages.size();
  }
}
