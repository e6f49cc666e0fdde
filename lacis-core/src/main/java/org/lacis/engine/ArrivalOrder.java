package org.lacis.engine;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lacis.net.BiasedLock;

/**
 * Puts the messages that come for one ordered matching engine into the order of each sender, by
 * their numbers. A message that comes before one that was sent earlier, by another device, is kept
 * until that has come. A thread has the sender while it brings a message to the matcher, so that
 * the next one comes behind it.
 */
final class ArrivalOrder {

  private final Sender[] senders;

  /** Who has the lock may bring its messages to the matcher. */
  private static final class Sender extends BiasedLock {
    /** The number of the next message. */
    int next;

    /** Messages that came too early, the next one first. */
    @Nullable Operation early;

    /** The last of these; not looked at if there are none. */
    @Nullable Operation last;

    /** How many messages came too early so far. */
    long parked;

    int distance(Operation message) {
      return number(message) - next;
    }

    /** The last message kept that is less far away; null if there is none. */
    @Nullable Operation before(int distance) {
      Operation before = null;
      Operation at = early;
      while (at != null && distance(at) < distance) {
        before = at;
        at = at.link;
      }
      return before;
    }
  }

  ArrivalOrder(int ranks) {
    senders = new Sender[ranks];
    Arrays.setAll(senders, _ -> new Sender());
  }

  /** Takes the sender; false if another thread has it. */
  boolean tryHold(int rank) {
    return senders[rank].tryLock();
  }

  /** Lets the sender go. */
  void letGo(int rank) {
    senders[rank].unlock();
  }

  // By the thread that has the sender.

  /** How many messages must come before this one; negative if it is not new. */
  int distance(int rank, int number) {
    return number - senders[rank].next;
  }

  /** Keeps a message that came too early; its number is in {@link Operation#immediate}. */
  void keep(int rank, Operation message) {
    Sender sender = senders[rank];
    sender.parked++;
    int distance = sender.distance(message);
    // Those of one device come in order, so the place is mostly behind all others.
    Operation before = sender.early == null ? null : sender.last;
    if (before != null && sender.distance(before) >= distance) {
      before = sender.before(distance);
    }
    if (before == null) {
      message.link = sender.early;
      sender.early = message;
    } else {
      message.link = before.link;
      before.link = message;
    }
    if (message.link == null) {
      sender.last = message;
    }
  }

  /** How many messages came too early so far; a snapshot. */
  long parked() {
    return Arrays.stream(senders).mapToLong(sender -> sender.parked).sum();
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
    Sender sender = senders[rank];
    int next = sender.next + 1;
    sender.next = next;
    Operation waiting = sender.early;
    if (waiting == null || number(waiting) != next) {
      sender.unlock();
      return null;
    }
    sender.early = waiting.link;
    waiting.link = null;
    return waiting;
  }

  /** Removes all that came too early and hands it out; for closing. */
  void drain(Consumer<Operation> taker) {
    for (Sender sender : senders) {
      while (!sender.tryLock()) {
        Thread.yield();
      }
      Operation at = sender.early;
      sender.early = null;
      sender.unlock();
      while (at != null) {
        Operation next = at.link;
        at.link = null;
        taker.accept(at);
        at = next;
      }
    }
  }
}
