package org.lacis;

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
   * under way; a snapshot.
   */
  long pending();

  /**
   * Gives the network's resources back. Operations still under way fail with {@link
   * ErrorKind#CLOSED}. The default device is closed by its runtime.
   */
  @Override
  void close();
}
