package org.lacis.net.tcp;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What the polling thread wants to have sent: answers to requests of the peer, and notifications of
 * gets. It adds without waiting; whoever has the lock of the outbox takes. Bounded by what the two
 * sides may have under way.
 */
final class Answers {

  private static final int CAPACITY = 2 * Requests.CAPACITY;

  private final @Nullable Load[] slots = new Load[CAPACITY];

  /** By whoever takes. */
  private final AtomicLong head = new AtomicLong();

  /** By the polling thread. */
  private final AtomicLong tail = new AtomicLong();

  /** Loads that are not in a slot. By whoever takes. */
  private final ArrayDeque<Load> spare = new ArrayDeque<>();

  boolean isEmpty() {
    return head.get() == tail.get();
  }

  /** A load to be filled and added; null if the peer has more under way than it may. */
  @Nullable Load next() {
    long at = tail.get();
    if (at - head.get() == CAPACITY) {
      return null;
    }
    int slot = (int) (at % CAPACITY);
    Load load = slots[slot];
    if (load == null) {
      load = new Load();
      slots[slot] = load;
    }
    return load;
  }

  /** Adds what {@link #next} has given. */
  void add() {
    tail.setRelease(tail.getPlain() + 1);
  }

  /** The first one; null if there is none. */
  @Nullable Load peek() {
    long at = head.getPlain();
    return at == tail.getAcquire() ? null : slots[(int) (at % CAPACITY)];
  }

  /** Removes the first one; its load may be used again. */
  void remove() {
    head.setRelease(head.getPlain() + 1);
  }

  /** Removes the first one; its load is the caller's until it gives it back. */
  void removeAndKeep() {
    slots[(int) (head.getPlain() % CAPACITY)] = spare.pollFirst();
    remove();
  }

  /** A load for something else, to be given back. */
  Load spare() {
    Load load = spare.pollFirst();
    return load == null ? new Load() : load;
  }

  /** Gives a load back. */
  void giveBack(Load load) {
    spare.addFirst(load);
  }
}
