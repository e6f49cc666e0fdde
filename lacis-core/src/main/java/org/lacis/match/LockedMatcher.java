package org.lacis.match;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lacis.net.BiasedLock;

/**
 * A matcher that one thread at a time is in: what holds for all ordered matchers. They match by
 * MPI's rules: of the receives that match a message the one that was posted first takes it, and of
 * the messages that a receive matches it takes the one that came first.
 */
abstract class LockedMatcher implements Matcher {

  private static final int SPINS = 100;

  private final BiasedLock lock = new BiasedLock();

  @Override
  public final @Nullable MatchEntry insertReceive(MatchEntry receive) {
    if (!lock.tryLock()) {
      return BUSY;
    }
    try {
      return post(receive);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final @Nullable MatchEntry insertArrival(MatchEntry arrival) {
    if (!lock.tryLock()) {
      return BUSY;
    }
    try {
      return arrive(arrival);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final @Nullable MatchEntry takeReceive(long key, int hash) {
    if (!lock.tryLock()) {
      return BUSY;
    }
    try {
      return receiveFor(key, hash);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final @Nullable MatchEntry takeArrival(long key, Wanted wanted) {
    hold();
    try {
      return takeHeld(key, wanted);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final boolean remove(MatchEntry entry, long use) {
    hold();
    try {
      return removeHeld(entry, use);
    } finally {
      lock.unlock();
    }
  }

  /** {@inheritDoc} Receives come first; those of one key, and messages, in their order. */
  @Override
  public final void drain(Consumer<MatchEntry> taker) {
    EntryList all = new EntryList();
    hold();
    try {
      empty(entry -> all.add(entry, MatchEntry.NOWHERE));
    } finally {
      lock.unlock();
    }
    all.drain(taker);
  }

  @Override
  public final long receives() {
    hold();
    try {
      return receiveCount();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final long arrivals() {
    hold();
    try {
      return arrivalCount();
    } finally {
      lock.unlock();
    }
  }

  /**
   * How many receives a message would be compared with if it arrived now: those that the search
   * passes, and the one it ends with. Counting is left to who asks, so that matching is no slower.
   *
   * @param key as it would be in the message's entry
   * @param hash as it would be in the message's entry
   */
  public final long searchedByMessage(long key, int hash) {
    hold();
    try {
      return receivesSearched(key, hash);
    } finally {
      lock.unlock();
    }
  }

  /**
   * How many messages a receive would be compared with if it were posted now.
   *
   * @param key as it would be in the receive's entry
   */
  public final long searchedByReceive(long key) {
    hold();
    try {
      return messagesSearched(key);
    } finally {
      lock.unlock();
    }
  }

  /** Whoever has the lock now lets it go within the time of one match. */
  final void hold() {
    for (int tries = 0; !lock.tryLock(); tries++) {
      if (tries < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  final void letGo() {
    lock.unlock();
  }

  // What follows is called by the thread that has the lock.

  final @Nullable MatchEntry takeHeld(long key, Wanted wanted) {
    MatchEntry found = messageFor(key);
    if (found == null || !wanted.test(found)) {
      return null;
    }
    unlink(found);
    return found;
  }

  final boolean removeHeld(MatchEntry entry, long use) {
    // It may be in another matcher by now, in which case its use is another one.
    if (entry.use() != use || entry.place == MatchEntry.NOWHERE) {
      return false;
    }
    unlink(entry);
    return true;
  }

  /** Removes the oldest message that the receive matches; else keeps the receive. */
  abstract @Nullable MatchEntry post(MatchEntry receive);

  /** Removes the oldest receive that the message matches; else keeps the message. */
  abstract @Nullable MatchEntry arrive(MatchEntry message);

  /** Removes the oldest receive that matches a message. */
  abstract @Nullable MatchEntry receiveFor(long key, int hash);

  /** The oldest message that a receive matches; it stays. */
  abstract @Nullable MatchEntry messageFor(long key);

  abstract long receivesSearched(long key, int hash);

  abstract long messagesSearched(long key);

  /** Removes an entry that is here. */
  abstract void unlink(MatchEntry entry);

  /** Removes everything: receives first; those of one key, and messages, in their order. */
  abstract void empty(Consumer<MatchEntry> taker);

  abstract long receiveCount();

  abstract long arrivalCount();
}
