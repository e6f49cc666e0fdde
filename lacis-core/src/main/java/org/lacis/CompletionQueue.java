package org.lacis;

import java.time.Duration;

/**
 * A queue of completions, first in first out. Any number of threads may fill and empty it.
 *
 * <p>When a {@linkplain QueueOptions#bounded bounded} one is full, active messages for it wait in
 * the network, and their senders see {@link Post#RETRY_QUEUE}. Completions of operations posted
 * here are always kept, beyond the capacity if need be: their number is in the program's hand. A
 * {@linkplain QueueOptions#growing growing} one takes everything, and memory with it. Nothing is
 * lost.
 */
public interface CompletionQueue extends Completion, AutoCloseable {

  /**
   * Takes the first completion, if there is one. Makes no progress by itself.
   *
   * @param into filled when the answer is true; what it had before is given up either way
   * @return whether there was one
   */
  boolean pop(Status into);

  /**
   * Takes as many completions as there are, at most one for each status. Makes no progress by
   * itself.
   *
   * @param into filled from the first on; those behind the ones filled are left alone
   * @return how many there were
   */
  int pop(Status[] into);

  /**
   * Waits for a completion and takes it, making progress meanwhile.
   *
   * @param into filled
   * @throws LacisException if the runtime is closed meanwhile
   */
  void take(Status into);

  /**
   * Waits for a completion at most so long.
   *
   * @param into filled when the answer is true
   * @param limit how long to wait
   * @return whether there was one in time
   */
  boolean take(Status into, Duration limit);

  /**
   * Waits for at least one completion, making progress meanwhile, and takes as many as there are:
   * for a loop that serves whatever comes.
   *
   * @param into filled from the first on; those behind the ones filled are left alone
   * @return how many were taken, at least 1 unless {@code into} is empty
   * @throws LacisException if the runtime is closed meanwhile
   */
  int take(Status[] into);

  /**
   * Waits for at least one completion, at most so long, and takes as many as there are.
   *
   * @param into filled from the first on; those behind the ones filled are left alone
   * @param limit how long to wait for the first
   * @return how many were taken; 0 if none came in time
   */
  int take(Status[] into, Duration limit);

  /**
   * Waits for one completion for each status, at most so long.
   *
   * @param into filled from the first on; those behind the ones filled are left alone
   * @param limit how long to wait for all of them together
   * @return how many came in time
   */
  int takeAll(Status[] into, Duration limit);

  /** How many completions are in it; a snapshot. */
  int length();

  /** How many fit; of a growing queue, without growing. */
  int capacity();

  /** What it is and how it is doing, for people to read. */
  Info info();

  /**
   * Drops what is in it. Completions that come later are dropped too; threads that wait in {@link
   * #take} get an {@link IllegalStateException}.
   */
  @Override
  void close();
}
