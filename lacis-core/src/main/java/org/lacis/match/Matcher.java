package org.lacis.match;

import org.jspecify.annotations.Nullable;

/**
 * Matches receives with arrivals of the same key. Any thread may call any method at any time; none
 * of them waits.
 *
 * <p>Each entry is matched at most once, by exactly one entry of the other kind.
 */
public interface Matcher {

  /**
   * Answered when another thread holds what is needed for a moment: nothing has happened, try
   * again.
   */
  MatchEntry BUSY = new MatchEntry() {};

  /**
   * Looks for an arrival with the receive's key, and removes it; else keeps the receive.
   *
   * @return the arrival; null if the receive was kept; or {@link #BUSY}
   */
  @Nullable MatchEntry insertReceive(MatchEntry receive);

  /**
   * Looks for a receive with the arrival's key, and removes it; else keeps the arrival.
   *
   * @return the receive; null if the arrival was kept; or {@link #BUSY}
   */
  @Nullable MatchEntry insertArrival(MatchEntry arrival);

  /**
   * Looks for a receive with the key, and removes it; keeps nothing. For arrivals that need no
   * entry when they are expected.
   *
   * @return the receive; null if there is none; or {@link #BUSY}
   */
  @Nullable MatchEntry takeReceive(long key);

  /**
   * Removes an entry that is still waiting.
   *
   * @return whether it was there (false: it has been matched, or never was)
   */
  boolean remove(MatchEntry entry);

  /** Removes everything and hands it out, receives and arrivals alike; for closing. */
  void drain(java.util.function.Consumer<MatchEntry> taker);

  /** Receives that wait; a snapshot. */
  long receives();

  /** Arrivals that wait; a snapshot. */
  long arrivals();
}
