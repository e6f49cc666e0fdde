package org.lacis.match;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A block of messages that several threads match at once with the receives of an {@link
 * OrderedMatcher}, with the outcome that one thread would have that takes them in order.
 *
 * <p>Each message is matched by one thread, at first as if it were alone (optimistically): it finds
 * the oldest receive and books it. Once all messages before it have done so it knows whether one of
 * them has booked the same receive: a conflict, which the message that came first wins. If neither
 * it nor any before it has one, what it has booked is right. Otherwise the others may take
 * something else than they have booked, and it has to look again:
 *
 * <ul>
 *   <li>by the <em>fast path</em>, if all messages of the block have booked the same receive, and
 *       there are as many receives behind that in its sequence: message i takes the i-th of it;
 *   <li>by the <em>slow path</em> otherwise: when all before it have their receive, it looks for
 *       the oldest that is left.
 * </ul>
 *
 * <p>A receive that a message before it has booked is passed over at once (early booking check): if
 * that message gives it up in the end, there was a conflict, and so all behind look again.
 *
 * <p>While a block is matched nothing else happens in the matcher.
 */
final class MatchBlock {

  /** The most messages of a block: they have a bit each. */
  static final int MAX = Long.SIZE;

  /** Words between those that all threads write. */
  static final int APART = 16;

  /** Which messages have booked, or found nothing. */
  static final int BOOKED = APART;

  /** Which messages know whether they have a conflict. */
  private static final int CHECKED = 2 * APART;

  /** Which messages have one. */
  private static final int CONFLICTS = 3 * APART;

  /** Which messages have their receive, or none. */
  static final int DONE = 4 * APART;

  static final int WORDS = 5 * APART;

  // What is counted.
  private static final int OPTIMISTIC = 0;
  private static final int CONFLICT = 1;
  private static final int FORCED = 2;
  private static final int FAST_PATH = 3;
  private static final int SLOW_PATH = 4;
  private static final int LEFT_FOR_LATER = 5;

  private final OrderedMatcher matcher;
  private final ReceiveTable table;
  private final BlockReceives shared;
  private final SharedWords words;
  private final boolean earlyCheck;
  private final boolean fastPath;
  private final @Nullable MatchEntry[] messages = new MatchEntry[MAX];
  private final int[] booked = new int[MAX];
  private final int[] taken = new int[MAX];

  /** By message, and what is counted. */
  private final long[] counts = new long[(MAX + 1) * APART];

  private long blocks;
  private int size;

  MatchBlock(OrderedMatcher matcher, boolean earlyCheck, boolean fastPath) {
    this(matcher, earlyCheck, fastPath, new SharedWords(WORDS));
  }

  MatchBlock(OrderedMatcher matcher, boolean earlyCheck, boolean fastPath, SharedWords words) {
    this.matcher = matcher;
    this.table = matcher.table;
    this.shared = new BlockReceives(table);
    this.words = words;
    this.earlyCheck = earlyCheck;
    this.fastPath = fastPath;
  }

  int size() {
    return size;
  }

  MatchEntry message(int i) {
    return Objects.requireNonNull(messages[i]);
  }

  /** What was counted so far; while no block is under way. */
  MatchCounts counts() {
    return new MatchCounts(
        blocks,
        sum(OPTIMISTIC),
        sum(CONFLICT),
        sum(FORCED),
        sum(FAST_PATH),
        sum(SLOW_PATH),
        shared.passedOver(),
        sum(LEFT_FOR_LATER));
  }

  private long sum(int what) {
    long sum = 0;
    for (int i = 0; i < MAX; i++) {
      sum += counts[(i + 1) * APART + what];
    }
    return sum;
  }

  private void count(int i, int what) {
    counts[(i + 1) * APART + what]++;
  }

  // ---- by one thread, between blocks

  /** Adds the next message; there must be room. */
  void add(MatchEntry message) {
    messages[size] = message;
    booked[size] = ReceiveTable.NONE;
    taken[size] = ReceiveTable.NONE;
    size++;
  }

  /** Prepares the block for its threads. */
  void begin() {
    words.plain(BOOKED, 0);
    words.plain(CHECKED, 0);
    words.plain(CONFLICTS, 0);
    words.plain(DONE, 0);
    blocks++;
  }

  /**
   * All messages are matched: gives places back, and looks through the list, in order, for those
   * that the table had nothing for.
   *
   * @param receives filled with the receive of each message, or null if the matcher has kept it
   */
  void end(@Nullable MatchEntry[] receives) {
    for (int i = 0; i < size; i++) {
      if (booked[i] != ReceiveTable.NONE) {
        table.clearBookings(booked[i]);
      }
    }
    for (int i = 0; i < size; i++) {
      MatchEntry message = message(i);
      MatchEntry receive =
          taken[i] == ReceiveTable.NONE ? matcher.listed(message.key) : table.take(taken[i]);
      if (receive == null) {
        matcher.keep(message);
      }
      receives[i] = receive;
      messages[i] = null;
    }
    matcher.refill();
    size = 0;
  }

  /** For tests: what a message has come to in another block. */
  void copyOutcome(MatchBlock other, int i) {
    booked[i] = other.booked[i];
    taken[i] = other.taken[i];
  }

  // ---- by the thread of each message

  /** Matches message i, which waits for those before it only. */
  void match(int i) {
    MatchEntry message = message(i);
    taken[i] =
        matcher.overtaking ? any(message.key, message.hash) : inOrder(i, message.key, message.hash);
    words.set(DONE, 1L << i);
    if (taken[i] != ReceiveTable.NONE && !shared.tidy(taken[i])) {
      count(i, LEFT_FOR_LATER);
    }
  }

  /** Whatever receive nobody else has: no order is promised. */
  private int any(long key, int hash) {
    int found = shared.find(key, hash, 0);
    while (found != ReceiveTable.NONE && !shared.tryConsume(found)) {
      found = shared.find(key, hash, 0);
    }
    return found;
  }

  private int inOrder(int i, long key, int hash) {
    long bit = 1L << i;
    long before = bit - 1;
    int found = shared.find(key, hash, earlyCheck ? i : 0);
    booked[i] = found;
    if (found != ReceiveTable.NONE) {
      shared.book(found, bit);
    }
    words.set(BOOKED, bit);
    words.await(BOOKED, before);

    long bookings = found == ReceiveTable.NONE ? 0 : shared.bookings(found);
    boolean conflict = (bookings & before) != 0;
    if (conflict) {
      words.set(CONFLICTS, bit);
    }
    words.set(CHECKED, bit);
    words.await(CHECKED, before);
    if (!conflict && (words.getAcquire(CONFLICTS) & before) == 0) {
      count(i, OPTIMISTIC);
      return consume(found);
    }
    count(i, conflict ? CONFLICT : FORCED);
    if (fastPath && conflict && bookings == -1L >>> (MAX - size)) {
      int next = shared.inSequence(found, i);
      if (next != ReceiveTable.NONE) {
        count(i, FAST_PATH);
        return consume(next);
      }
    }
    count(i, SLOW_PATH);
    words.await(DONE, before);
    return consume(shared.find(key, hash, 0));
  }

  private int consume(int receive) {
    if (receive != ReceiveTable.NONE) {
      shared.consume(receive);
    }
    return receive;
  }
}
