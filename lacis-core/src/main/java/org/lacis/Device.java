package org.lacis;

import java.time.Duration;

/**
 * A full set of network resources. Threads on different devices never touch the same lock or cache
 * line; any number of threads may use one device, and then meet {@link Post#RETRY_LOCK} at times.
 *
 * <p>Allocation is collective: the k-th device of one rank talks with the k-th of every other.
 */
public interface Device extends Poster, AutoCloseable {

  /** Its number, from 0, the default device. */
  int index();

  /**
   * Does what is due: submits what is in the backlog, takes what has arrived, signals what has
   * completed. Returns at once if another thread is at it, or if called from a handler.
   *
   * @return how many things were done; 0 if there was nothing to do
   */
  int progress();

  /** What waits to be submitted. */
  Backlog backlog();

  /**
   * Operations posted here that are not complete: receives without a message, sends, puts and gets
   * under way; a snapshot. {@linkplain Completion#isStanding Standing} receives, such as those of
   * collectives, are not among them.
   */
  long pending();

  /** What it has done so far. */
  Counters counters();

  /** What it is and how it is doing, for people to read. */
  Info info();

  /**
   * Whether nothing is under way here: no send, put, get or atomic that is not complete, nothing in
   * the backlog, no message being fetched. Receives that wait for a message do not count. A
   * snapshot, which makes no progress by itself.
   */
  boolean isDrained();

  /**
   * Waits until everything that was started by this device before is complete, making progress
   * meanwhile: buffers of sends may be used again, puts are written, buffers of gets are filled,
   * words of atomics have changed. So operations can be posted with {@link Completion#NONE}.
   * Receives are not waited for.
   *
   * @throws LacisException if the runtime is closed meanwhile
   */
  void fence();

  /**
   * Waits at most so long.
   *
   * @param limit how long to wait
   * @return whether everything was complete in time
   */
  boolean fence(Duration limit);

  /**
   * Gives the network's resources back. Operations still under way fail with {@link
   * ErrorKind#CLOSED}, and so do, at their senders, long messages that have come, or come later, by
   * this device and were not received: this rank tells the others, by its default device. Short
   * messages that wait in a matching engine can be received all the same. The default device is
   * closed by its runtime.
   */
  @Override
  void close();
}
