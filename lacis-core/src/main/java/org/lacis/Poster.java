package org.lacis;

import java.lang.foreign.MemorySegment;

/**
 * What can post operations: a {@link Device}, or a {@link Lacis} for its default device.
 *
 * <p>Every operation exists twice: positional, with what is needed most, and fluent, from the
 * method without arguments, with every option of {@link Posting} in any order. Both allocate
 * nothing and never wait. A mistake of the caller throws {@link IllegalArgumentException}, {@link
 * IndexOutOfBoundsException}, {@link NullPointerException} or {@link IllegalStateException} at the
 * call, and nothing has happened then. So does posting to a peer that is known to be gone, with a
 * {@link CommunicationException}; operations under way with it fail through their completion.
 *
 * <p>Always look at the answer: after a retry nothing has been sent. {@link Posting#postBlocking}
 * waits for room instead, and {@link Posting#allowRetry allowRetry(false)} leaves that to progress.
 *
 * <p>A buffer that was given to an operation answered with {@link Post#POSTED} must not be touched,
 * or freed, until its completion is signalled. After {@link Post#DONE} it may be used at once;
 * sends and active messages of up to {@link Lacis#eagerLimit()} bytes are never answered with
 * {@link Post#POSTED} unless asked to. Messages, and signals of puts, may overtake each other, but
 * for messages that an ordered matching engine matches.
 */
public interface Poster {

  /**
   * Sends to a receive.
   *
   * @param rank who receives
   * @param buffer what is sent, all of it
   * @param tag 0 to {@link Lacis#MAX_TAG}
   * @param done signalled when the buffer may be used again, if the answer is {@link Post#POSTED}
   */
  Post send(int rank, MemorySegment buffer, int tag, Completion done);

  /**
   * Sends to a receive, through a matching engine of one's own; {@link Lacis#matchingEngine} is
   * that of the shorter form.
   *
   * @param rank who receives
   * @param buffer what is sent, all of it
   * @param tag 0 to {@link Lacis#MAX_TAG}
   * @param engine of this runtime; ranks make engines in the same order, by which they meet
   * @param policy by what it is matched, named by the receiver too; {@link MatchingPolicy#RANK_TAG}
   *     alone with an ordered engine
   * @param done signalled when the buffer may be used again, if the answer is {@link Post#POSTED}
   */
  Post send(
      int rank,
      MemorySegment buffer,
      int tag,
      MatchingEngine engine,
      MatchingPolicy policy,
      Completion done);

  /**
   * Receives what is sent. Its completion is always signalled, also when the message was already
   * there; the answer is then {@link Post#POSTED} all the same (only the fluent form may
   * {@linkplain Posting#allowDone allow} another). The only retry is {@link Post#RETRY_LOCK}, if
   * another thread is at the same place of the matching engine.
   *
   * @param rank who sends
   * @param buffer where the message goes; a longer message is an error of kind {@link
   *     ErrorKind#TRUNCATED}
   * @param tag 0 to {@link Lacis#MAX_TAG}
   * @param done signalled when the message is in the buffer
   */
  Post recv(int rank, MemorySegment buffer, int tag, Completion done);

  /**
   * Receives what is sent through a matching engine of one's own; otherwise like the shorter form.
   *
   * @param rank who sends; or {@link Lacis#ANY_SOURCE}, with {@link MatchingPolicy#TAG_ONLY} or an
   *     ordered engine
   * @param buffer where the message goes; a longer message is an error of kind {@link
   *     ErrorKind#TRUNCATED}
   * @param tag 0 to {@link Lacis#MAX_TAG}; or {@link Lacis#ANY_TAG}, with an ordered engine
   * @param engine of this runtime; ranks make engines in the same order, by which they meet
   * @param policy by what it is matched, named by the sender too; {@link MatchingPolicy#RANK_TAG}
   *     alone with an ordered engine. What it leaves out, the tag or the rank, has to be a possible
   *     one all the same
   * @param done signalled when the message is in the buffer
   */
  Post recv(
      int rank,
      MemorySegment buffer,
      int tag,
      MatchingEngine engine,
      MatchingPolicy policy,
      Completion done);

  /**
   * Sends an active message: its arrival signals a completion object there, which gets the payload.
   *
   * @param rank who gets it
   * @param buffer what is sent, all of it
   * @param tag 0 to {@link Lacis#MAX_TAG}; the target sees it in the status
   * @param target what is signalled there
   * @param done signalled when the buffer may be used again, if the answer is {@link Post#POSTED}
   */
  Post am(int rank, MemorySegment buffer, int tag, RemoteCompletion target, Completion done);

  /**
   * Writes into a peer's region; the peer does not notice. Over {@code shm} it need not do
   * anything; over {@code tcp} and {@code ofi} its progress on the device of the same index carries
   * it out. Complete means written: whoever gets or reads it afterwards finds it, and the local
   * buffer may be used again.
   *
   * @param local what is written, all of it
   * @param remote where to
   * @param offset where in {@code remote}, in bytes
   * @param done signalled when the data is there, if the answer is {@link Post#POSTED}
   */
  Post put(MemorySegment local, RemoteRegion remote, long offset, Completion done);

  /**
   * Writes into a peer's region and then signals a completion object there, which finds the data
   * written. Complete here means written, as above, but not that the signal has arrived.
   *
   * @param local what is written, all of it
   * @param remote where to
   * @param offset where in {@code remote}, in bytes
   * @param tag 0 to {@link Lacis#MAX_TAG}; the target sees it in the status
   * @param target what is signalled there
   * @param done signalled when the data is there, if the answer is {@link Post#POSTED}
   */
  Post put(
      MemorySegment local,
      RemoteRegion remote,
      long offset,
      int tag,
      RemoteCompletion target,
      Completion done);

  /**
   * Reads from a peer's region; the peer does not notice, but over {@code tcp} and {@code ofi} its
   * progress carries it out, as with a put.
   *
   * @param local where the data goes; its size is how much is read
   * @param remote where from
   * @param offset where in {@code remote}, in bytes
   * @param done signalled when the data is there, if the answer is {@link Post#POSTED}
   */
  Post get(MemorySegment local, RemoteRegion remote, long offset, Completion done);

  /**
   * Reads from a peer's region and then signals a completion object there, which knows that the
   * data was read.
   *
   * @param local where the data goes; its size is how much is read
   * @param remote where from
   * @param offset where in {@code remote}, in bytes
   * @param tag 0 to {@link Lacis#MAX_TAG}; the target sees it in the status
   * @param target what is signalled there
   * @param done signalled when the data is there, if the answer is {@link Post#POSTED}
   */
  Post get(
      MemorySegment local,
      RemoteRegion remote,
      long offset,
      int tag,
      RemoteCompletion target,
      Completion done);

  /**
   * Changes a word of 64 bits in a peer's region; the peer does not notice. In memory from {@link
   * Lacis#allocate}, over {@code shm}, it need not do anything; otherwise its progress on the
   * device of the same index carries it out. It is one step, whatever else is done to that word in
   * this way, by whichever rank. Not so with puts and gets, which know no words.
   *
   * @param op what is done
   * @param operand what with
   * @param remote where, with the right to read and to write
   * @param offset where in {@code remote}, in bytes: a multiple of 8, in memory that is aligned so,
   *     as that of {@link Lacis#allocate} is
   * @param done signalled when the word has changed, if the answer is {@link Post#POSTED}; its
   *     status has what was there before as {@link Status#longAt longAt(0)}
   */
  Post atomic(AtomicOp op, long operand, RemoteRegion remote, long offset, Completion done);

  /**
   * Changes a word of 64 bits in a peer's region, and fetches what was there before.
   *
   * @param op what is done
   * @param operand what with
   * @param fetched 8 bytes, for what was there before
   * @param remote where, with the right to read and to write
   * @param offset where in {@code remote}, in bytes, as above
   * @param done signalled when that is in {@code fetched}, if the answer is {@link Post#POSTED}
   */
  Post atomic(
      AtomicOp op,
      long operand,
      MemorySegment fetched,
      RemoteRegion remote,
      long offset,
      Completion done);

  /**
   * Writes a word of 64 bits in a peer's region if it is what is expected, and fetches what was
   * there before. It has written if the two are equal.
   *
   * @param expected what must be there
   * @param value what is written then
   * @param fetched 8 bytes, for what was there before
   * @param remote where, with the right to read and to write
   * @param offset where in {@code remote}, in bytes, as for {@link #atomic}
   * @param done signalled when that is in {@code fetched}, if the answer is {@link Post#POSTED}
   */
  Post compareAndSwap(
      long expected,
      long value,
      MemorySegment fetched,
      RemoteRegion remote,
      long offset,
      Completion done);

  /**
   * Starts any operation; what it is follows from its direction, remote buffer and remote
   * completion.
   */
  Posting post();

  /** Starts a send. */
  Posting send();

  /** Starts a receive. */
  Posting recv();

  /** Starts an active message. */
  Posting am();

  /** Starts a put. */
  Posting put();

  /** Starts a get. */
  Posting get();

  /** Starts an atomic operation. */
  AtomicPosting atomic();
}
