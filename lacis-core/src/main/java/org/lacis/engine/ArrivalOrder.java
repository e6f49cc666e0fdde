package org.lacis.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Puts the messages that come for one ordered matching engine into the order of each sender, by
 * their numbers. A message that comes before one that was sent earlier, by another device, is kept
 * until that has come. A thread has the sender while it brings a message to the matcher, so that
 * the next one comes behind it.
 */
final class ArrivalOrder {

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final long HELD = 1L << 63;

  /** Words between those of two senders. */
  private static final int APART = 128 / Long.BYTES;

  /** The number of the next message, with {@link #HELD} if a thread has the sender. */
  private final long[] words;

  /** By sender: messages that came too early, the next one first. */
  private final @Nullable Operation[] early;

  /** By sender: the last of these; not looked at if there are none. */
  private final @Nullable Operation[] last;

  /** By sender: how many messages came too early so far. */
  private final long[] parked;

  ArrivalOrder(int ranks) {
    parked = new long[ranks];
    words = new long[(ranks + 1) * APART];
    early = new Operation[ranks];
    last = new Operation[ranks];
  }

  private static int at(int rank) {
    return (rank + 1) * APART - 1;
  }

  /** Takes the sender; false if another thread has it. */
  boolean tryHold(int rank) {
    int at = at(rank);
    long next = (long) WORDS.getOpaque(words, at);
    return next >= 0 && WORDS.compareAndSet(words, at, next, next | HELD);
  }

  /** Lets the sender go. */
  void letGo(int rank) {
    int at = at(rank);
    WORDS.setRelease(words, at, words[at] & ~HELD);
  }

  // By the thread that has the sender.

  /** How many messages must come before this one; negative if it is not new. */
  int distance(int rank, int number) {
    return number - (int) words[at(rank)];
  }

  /** Keeps a message that came too early; its number is in {@link Operation#immediate}. */
  void keep(int rank, Operation message) {
    parked[rank]++;
    int distance = distance(rank, number(message));
    // Those of one device come in order, so the place is mostly behind all others.
    Operation before = early[rank] == null ? null : last[rank];
    if (before != null && distance(rank, number(before)) >= distance) {
      before = before(rank, distance);
    }
    if (before == null) {
      message.link = early[rank];
      early[rank] = message;
    } else {
      message.link = before.link;
      before.link = message;
    }
    if (message.link == null) {
      last[rank] = message;
    }
  }

  /** The last message kept that is less far away; null if there is none. */
  private @Nullable Operation before(int rank, int distance) {
    Operation before = null;
    Operation at = early[rank];
    while (at != null && distance(rank, number(at)) < distance) {
      before = at;
      at = at.link;
    }
    return before;
  }

  /** How many messages came too early so far; a snapshot. */
  long parked() {
    return LongStream.of(parked).sum();
  }

  private static int number(Operation message) {
    return Frame.number(message.immediate);
  }

  /**
   * The message is with the matcher.
   *
   * @return the next one, if it has come; if not, null, and the sender is let go
   */
  @Nullable Operation advance(int rank) {
    int at = at(rank);
    long next = ((words[at] & ~HELD) + 1) & 0xffff_ffffL;
    Operation waiting = early[rank];
    if (waiting == null || number(waiting) != (int) next) {
      WORDS.setRelease(words, at, next);
      return null;
    }
    words[at] = next | HELD;
    early[rank] = waiting.link;
    waiting.link = null;
    return waiting;
  }

  /** Removes all that came too early and hands it out; for closing. */
  void drain(Consumer<Operation> taker) {
    for (int rank = 0; rank < early.length; rank++) {
      while (!tryHold(rank)) {
        Thread.yield();
      }
      Operation at = early[rank];
      early[rank] = null;
      letGo(rank);
      while (at != null) {
        Operation next = at.link;
        at.link = null;
        taker.accept(at);
        at = next;
      }
    }
  }
}
