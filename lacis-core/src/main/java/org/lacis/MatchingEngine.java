package org.lacis;

/**
 * Matches sends with receives, in no promised order. Ranks allocate their engines in the same
 * order: the k-th of one rank matches what is sent through the k-th of another. An engine may be
 * shared by devices and threads.
 */
public interface MatchingEngine extends AutoCloseable {

  /** How it was made. */
  MatchingOptions options();

  /** Posted receives that wait for a message; a snapshot. */
  long waitingReceives();

  /** Messages that wait for a receive; a snapshot. */
  long waitingMessages();

  /** What it is and how it is doing, for people to read. */
  Info info();

  /** Waiting receives fail with {@link ErrorKind#CLOSED}; waiting messages are dropped. */
  @Override
  void close();
}
