package org.lacis;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation being put together. It is reused: finish it with {@link #post(Completion)} on the
 * same thread, and do not keep it.
 *
 * <p>What it does follows from three of its parts:
 *
 * <table>
 * <caption>The operations</caption>
 * <tr><th>direction</th><th>remote buffer</th><th>remote completion</th><th>operation</th></tr>
 * <tr><td>OUT</td><td>none</td><td>none</td><td>send</td></tr>
 * <tr><td>OUT</td><td>none</td><td>given</td><td>active message</td></tr>
 * <tr><td>OUT</td><td>given</td><td>none</td><td>put</td></tr>
 * <tr><td>OUT</td><td>given</td><td>given</td><td>put with signal</td></tr>
 * <tr><td>IN</td><td>none</td><td>none</td><td>receive</td></tr>
 * <tr><td>IN</td><td>none</td><td>given</td><td>invalid</td></tr>
 * <tr><td>IN</td><td>given</td><td>none</td><td>get</td></tr>
 * <tr><td>IN</td><td>given</td><td>given</td><td>get with signal</td></tr>
 * </table>
 */
public interface Posting {

  /** Which way the data goes. The named forms have it set. */
  Posting direction(Direction direction);

  /** The peer. Not needed for a put or get, whose region knows it. */
  Posting to(int rank);

  /**
   * The peer; the same as {@link #to}, and reads better for what comes in. A receive by an ordered
   * matching engine may have {@link Lacis#ANY_SOURCE}.
   */
  Posting from(int rank);

  /**
   * The local buffer, all of it. A send or active message without one is empty; the others need
   * one.
   */
  Posting buffer(MemorySegment buffer);

  /**
   * A part of a buffer, without making a slice.
   *
   * @param buffer what holds it
   * @param offset where the part starts, in bytes
   * @param length of the part, in bytes
   */
  Posting buffer(MemorySegment buffer, long offset, long length);

  /**
   * Several buffers as one, instead of a buffer. An active message arrives in one piece. A put or
   * get of a list is never {@link Post#DONE}; it signals when all parts have been moved. It may
   * have a piggyback, for its remote completion.
   *
   * @param list not changed by this, and free for any number of other posts
   */
  Posting buffers(BufferList list);

  /**
   * Receives a message of any length without a buffer: it is lent by the status, as an active
   * message is, until that is used again or closed. If there is no memory for a long one, the
   * receive and the send fail with {@link ErrorKind#NO_MEMORY}. For receives, with a completion
   * object that keeps or reads its status.
   */
  Posting anyLength();

  /**
   * A packet as the local buffer of a send or active message: sent in place, without a copy, and
   * given up if the answer is not a retry.
   *
   * @param packet from a {@link PacketPool} of this runtime
   * @param length how much of it is payload, in bytes
   */
  Posting packet(Packet packet, int length);

  /**
   * The tag, 0 to {@link Lacis#MAX_TAG}; 0 if not given. A receive by an ordered matching engine
   * may have {@link Lacis#ANY_TAG}.
   */
  Posting tag(int tag);

  /**
   * The remote buffer, which makes it a put or get.
   *
   * @param region the peer's memory
   * @param offset where in it, in bytes
   */
  Posting remote(RemoteRegion region, long offset);

  /**
   * The remote buffers of a put or get with {@link #buffers}: part i goes to, or comes from, the
   * beginning of place i.
   *
   * @param places as many as there are parts, all of one rank, each at least as long as its part;
   *     copied unless made by {@link List#of}
   */
  Posting remote(List<RemoteRegion> places);

  /**
   * Sixty-four bits that the remote completion gets beside the tag, as {@link Status#immediate()}.
   * For active messages, and puts and gets with a signal, which are never {@link Post#DONE} then.
   */
  Posting immediate(long value);

  /**
   * Whether a send or active message is complete only when the peer has read it: a receive has it,
   * or it is in the peer's memory on its way to the remote completion. If not, as by default, it is
   * complete when the local buffer may be used again. A put is complete when it is written,
   * whatever is said here. Not for packets.
   */
  Posting synchronous(boolean asked);

  /** The remote completion: what is signalled at the peer. */
  Posting target(RemoteCompletion target);

  /** The device to use instead of the one this was started from. */
  Posting on(Device device);

  /**
   * What must be equal on both sides; {@link MatchingPolicy#RANK_TAG} if not given. For sends and
   * receives. Ordered matching engines know only that one; there a receive leaves open what it
   * likes.
   */
  Posting matching(MatchingPolicy policy);

  /** The matching engine to use instead of the runtime's own. For sends and receives. */
  Posting matching(MatchingEngine engine);

  /**
   * What the receive can be cancelled with, once it is posted. For receives.
   *
   * @param handle stands for this receive from now on, and not for another any more
   */
  Posting handle(ReceiveHandle handle);

  /**
   * The pool that packets are taken from instead of the runtime's own. For sends and active
   * messages.
   */
  Posting pool(PacketPool pool);

  /** An object of the user's that comes back in the status of the completion here. */
  Posting context(@Nullable Object context);

  /**
   * Whether the answer may be {@link Post#DONE}. If not, the completion is always signalled,
   * perhaps before the call returns. True if not given, except for receives, which have news to
   * tell.
   */
  Posting allowDone(boolean allowed);

  /**
   * Whether the answer may be {@link Post#POSTED}. If not, the completion is never signalled: the
   * answer is {@link Post#DONE} or a retry. For sends and active messages that fit into a packet;
   * longer ones are refused. True if not given.
   */
  Posting allowPosted(boolean allowed);

  /**
   * Whether the answer may be a retry because something ran out. If not, the operation goes to the
   * device's {@link Backlog} instead; only {@link Post#RETRY_BACKLOG} is left. True if not given.
   */
  Posting allowRetry(boolean allowed);

  /**
   * Posts it.
   *
   * @param done signalled when the operation is complete here, if the answer is {@link Post#POSTED}
   * @return what became of it
   */
  Post post(Completion done);

  /**
   * Posts it, and makes progress until there is room: never answers a retry. Not from a handler,
   * which posts with {@link #allowRetry allowRetry(false)} instead.
   *
   * @param done as for {@link #post}
   * @return {@link Post#DONE} or {@link Post#POSTED}
   * @throws IllegalStateException in a handler
   * @throws LacisException if the thread is interrupted, or the runtime closed, meanwhile
   */
  Post postBlocking(Completion done);
}
