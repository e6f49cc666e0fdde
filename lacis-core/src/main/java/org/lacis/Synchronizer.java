package org.lacis;

import java.time.Duration;

/**
 * Waits for a fixed number of completions, and can be used again. One thread waits or tests at a
 * time; any number signal.
 *
 * <p>It fires when the threshold is reached and is taken by {@link #test()} or {@link #await()},
 * which resets it for the next round. Signals beyond the threshold count for the next round.
 *
 * <p>Statuses are in the order of signalling, which need not be that of posting: nothing in their
 * index says which operation each is of. Operations with the same rank and tag are told apart by
 * {@link Status#buffer}, or by a {@linkplain Posting#context context} given to each.
 */
public interface Synchronizer extends Completion {

  /** How many signals make it fire. */
  int threshold();

  /**
   * Looks whether all have come; if so resets it. Makes no progress by itself.
   *
   * @return whether all had come
   * @throws CommunicationException if all had come and one of them was a failure
   */
  boolean test();

  /**
   * Waits until all have come, making progress meanwhile, and resets it. A virtual thread is
   * parked.
   *
   * @throws CommunicationException if one of them was a failure
   * @throws LacisException if the runtime is closed meanwhile
   */
  void await();

  /**
   * Waits for one operation, if there is anything to wait for: returns at once after {@link
   * Post#DONE}, which signals nothing. {@link #status status(0)} is empty then.
   *
   * <pre>{@code
   * done.await(lacis.send().to(1).buffer(text).postBlocking(done));
   * }</pre>
   *
   * @param answer what the operation that signals this was answered with
   * @throws IllegalArgumentException if that is a retry: nothing was posted then
   * @throws IllegalStateException if the threshold is not 1
   * @throws CommunicationException if the operation has failed
   * @throws LacisException if the runtime is closed meanwhile
   */
  void await(Post answer);

  /**
   * Waits at most so long.
   *
   * @param limit how long to wait
   * @return whether all came in time; if not, the synchronizer goes on collecting
   * @throws CommunicationException if one of them was a failure
   */
  boolean await(Duration limit);

  /**
   * What came in the round that {@link #test()} or {@link #await()} ended last, in the order of
   * signalling. Valid until the next round is taken.
   *
   * @param index 0 to {@code threshold() - 1}
   */
  Status status(int index);

  /** What it is and how it is doing, for people to read. */
  Info info();
}
