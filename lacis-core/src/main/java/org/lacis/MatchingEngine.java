package org.lacis;

/**
 * Matches sends with receives. Ranks allocate their engines in the same order: the k-th of one rank
 * matches what is sent through the k-th of another, and must be of the same kind, with the same
 * hints: what is sent by another one is dropped, with a warning to the log for each sender and
 * engine. An engine may be shared by devices and threads.
 *
 * <p>Which order is kept depends on its {@linkplain MatchingOptions.Kind kind}: none by default;
 * that of MPI with {@link MatchingOptions#ordered()} and {@link MatchingOptions#list()}. An ordered
 * engine is what MPI calls a communicator: it has tables of its own, which go when it is closed.
 *
 * <p>Messages that wait are looked at with {@link #probe}, and claimed with {@link #claim}. Both
 * look at what has arrived, and make no progress.
 */
public interface MatchingEngine extends AutoCloseable {

  /** How it was made. */
  MatchingOptions options();

  /**
   * Looks for the message that a receive posted now would be given. Of a hash engine only those are
   * found that were sent with {@link MatchingPolicy#RANK_TAG}.
   *
   * @param source who has sent it, or, with an ordered engine, {@link Lacis#ANY_SOURCE}
   * @param tag its tag, or, with an ordered engine, {@link Lacis#ANY_TAG}
   * @param status told its sender, tag and length, if there is one; it has no payload
   * @return whether there is one; another thread may take it before the caller does
   */
  boolean probe(int source, int tag, Status status);

  /**
   * Takes the message that a receive posted now would be given, to receive it later: nobody else
   * gets it. Of a hash engine only those are found that were sent with {@link
   * MatchingPolicy#RANK_TAG}.
   *
   * @param source who has sent it, or, with an ordered engine, {@link Lacis#ANY_SOURCE}
   * @param tag its tag, or, with an ordered engine, {@link Lacis#ANY_TAG}
   * @param message filled with it; a message that is in there already must have been received or
   *     closed
   * @return whether there is one
   */
  boolean claim(int source, int tag, ClaimedMessage message);

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
