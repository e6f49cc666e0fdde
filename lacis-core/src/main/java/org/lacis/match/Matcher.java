package org.lacis.match;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Matches receives with arrivals. Any thread may call any method at any time. Those that a message
 * passes through never wait; the others, which end, count or look, wait for a thread that is at
 * work in the same place just then.
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
   * Looks for an arrival that the receive matches, and removes it; else keeps the receive.
   *
   * @return the arrival; null if the receive was kept; or {@link #BUSY}
   */
  @Nullable MatchEntry insertReceive(MatchEntry receive);

  /**
   * Looks for a receive that the arrival matches, and removes it; else keeps the arrival.
   *
   * @return the receive; null if the arrival was kept; or {@link #BUSY}
   */
  @Nullable MatchEntry insertArrival(MatchEntry arrival);

  /**
   * Looks for a receive that matches an arrival, and removes it; keeps nothing. For arrivals that
   * need no entry when they are expected.
   *
   * @param key as it would be in the arrival's entry
   * @param hash as it would be in the arrival's entry
   * @return the receive; null if there is none; or {@link #BUSY}
   */
  @Nullable MatchEntry takeReceive(long key, int hash);

  /**
   * Looks for the arrival that a receive would be given, and removes it.
   *
   * @param key as it would be in the receive's entry
   * @param wanted asked about the arrival that was found, before it is removed and while nobody
   *     else can have it; if it says no, the arrival stays
   * @return the arrival that was removed; null if there is none, or it has stayed
   */
  @Nullable MatchEntry takeArrival(long key, Wanted wanted);

  /**
   * Removes an entry that is still waiting.
   *
   * @param use the {@link MatchEntry#use} that is meant: a later one stays where it is
   * @return whether it was there (false: it has been matched, or never was)
   */
  boolean remove(MatchEntry entry, long use);

  /** Removes everything and hands it out, receives and arrivals alike; for closing. */
  void drain(Consumer<MatchEntry> taker);

  /** Receives that wait; a snapshot. */
  long receives();

  /** Arrivals that wait; a snapshot. */
  long arrivals();

  /** A look at an arrival. */
  @FunctionalInterface
  interface Wanted {
    /** Whether it is to be removed. */
    boolean test(MatchEntry arrival);
  }
}
