package org.lacis.net;

import java.lang.foreign.MemorySegment;

/**
 * A full set of network resources. Threads on different devices do not meet.
 *
 * <p>Posting may be done by any number of threads and never waits: it answers {@link #OK}, {@link
 * #PENDING}, or a negative code that names what is missing, in which case nothing has happened.
 * {@link #poll} is called by one thread at a time.
 *
 * <p>A message carries two header words that the network does not look at. {@code h0} is never 0.
 * Messages of one device from one rank to another are not promised to arrive in order.
 */
public interface NetDevice extends AutoCloseable {

  /** It is done: local memory may be used again. */
  int OK = 0;

  /** It is under way: {@link NetSink#completed} will tell. */
  int PENDING = 1;

  /** Another thread holds what is needed, for a moment. */
  int BUSY = -1;

  /** The way to that peer is full until it makes progress. */
  int FULL = -2;

  /** Out of a bounded table of operations under way. */
  int NO_MEMORY = -3;

  /** The key is not, or no longer, valid at the peer, or does not allow this access. */
  int NO_ACCESS = -100;

  /** The peer is gone. */
  int PEER_GONE = -101;

  /**
   * Sends a message whose payload, at most {@link NetContext#injectLimit} bytes, is copied out of a
   * segment.
   *
   * @return {@link #OK}, {@link #BUSY}, {@link #FULL} or {@link #PEER_GONE}
   */
  int inject(int peer, long h0, long h1, MemorySegment payload, long offset, int length);

  /**
   * Sends a message without payload that is delivered behind all messages to that peer which this
   * device has accepted before, notifications of puts and gets that have ended included.
   *
   * @return {@link #OK}, {@link #BUSY}, {@link #FULL} or {@link #PEER_GONE}
   */
  int mark(int peer, long h0, long h1);

  /**
   * Sends a packet. When the answer is {@link #OK} the packet belongs to the network until {@link
   * NetContext#reclaim} hands it back; otherwise it stays the caller's.
   *
   * @param address the payload's address; {@link NetContext#PACKET_HEADER} bytes before it are the
   *     network's. It must lie in memory from {@link NetContext#allocate}
   * @param length the bytes of payload
   * @return {@link #OK}, {@link #BUSY}, {@link #FULL} or {@link #PEER_GONE}
   */
  int sendPacket(int peer, long h0, long h1, long address, int length);

  /**
   * The longest message that {@link #sendCopy} takes for a peer; 0 if none, as what it sends is
   * copied no more often in a packet.
   */
  default int copyLimit(int peer) {
    return 0;
  }

  /**
   * Sends a message out of memory of the caller's, which is free again at once; it arrives as a
   * packet does.
   *
   * @param length the bytes of payload, up to {@link #copyLimit}
   * @return {@link #OK}, {@link #BUSY}, {@link #FULL} or {@link #PEER_GONE}
   */
  default int sendCopy(int peer, long h0, long h1, MemorySegment payload, long offset, int length) {
    throw new IllegalArgumentException("cannot copy " + length + " bytes: the limit is 0");
  }

  /**
   * Writes into memory the peer has registered, and then, if {@code h0} is not 0, delivers a
   * message without payload there, whose sink sees the data written. When the answer is {@link
   * #OK}, or it has completed, the data is there: a message that is sent then finds it.
   *
   * @param key the peer's registration
   * @param keyOffset where in the registered range
   * @param cookie handed to {@link NetSink#completed} when the answer is {@link #PENDING}
   * @return {@link #OK}, {@link #PENDING}, {@link #BUSY}, {@link #FULL}, {@link #NO_MEMORY}, {@link
   *     #NO_ACCESS}, {@link #PEER_GONE}
   */
  int put(
      int peer,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie);

  /**
   * Reads from memory the peer has registered, and then notifies the peer, if {@code h0} is not 0.
   * As {@link #put} otherwise.
   */
  int get(
      int peer,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie);

  /**
   * Whether a {@link #get} of so many bytes from this peer notifies it without a message, mostly:
   * it does the work, and knows when the data is with the caller, or certain to come, though the
   * caller may not know yet. Elsewhere a notification is no better than a message of the caller's.
   */
  default boolean notifiesAlong(int peer, long length) {
    return false;
  }

  /**
   * Puts or gets what the caller can move by itself, at once and without a notification, such as a
   * few bytes in memory that it has mapped.
   *
   * @param put or else it is a get
   * @return {@link #OK}; or {@link #BUSY} if it cannot be done in this way, or not now, and {@link
   *     #put} or {@link #get} is to be tried, which tell why
   */
  default int move(
      boolean put,
      int peer,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset) {
    return BUSY;
  }

  /**
   * Sets off one piece, or several at once, of a put or a get, from the next on, without a
   * notification, and {@linkplain NetPieces#advance says so}. As {@link #put} or {@link #get}
   * otherwise: if the answer is {@link #PENDING}, {@link NetSink#completed} tells once when all of
   * those have ended. This is one piece, unless a network has a quicker way for several.
   *
   * @param put or else it is a get
   * @param pieces of which there is at least one more
   */
  default int transfer(boolean put, int peer, NetPieces pieces, long cookie) {
    int next = pieces.next();
    MemorySegment local = pieces.local(next);
    long offset = pieces.offset(next);
    long length = pieces.length(next);
    long key = pieces.key(next);
    long keyOffset = pieces.keyOffset(next);
    int answer =
        put
            ? put(peer, local, offset, length, key, keyOffset, 0, 0, cookie)
            : get(peer, local, offset, length, key, keyOffset, 0, 0, cookie);
    if (answer >= 0) {
      pieces.advance(1);
    }
    return answer;
  }

  /**
   * Changes a word in memory that the peer has registered for reading and for writing, and brings
   * what was there before. It is one step, whatever else is done to that word in this way, from
   * whichever rank and device, or with atomic instructions by the threads of its owner. As {@link
   * #get} otherwise: the same answers, the same notification.
   *
   * @param operation of {@link AtomicWord}
   * @param operand what goes with it
   * @param expected for {@link AtomicWord#COMPARE_AND_SWAP} only
   * @param local gets what was there before, of the length of the word
   * @param keyOffset where the word is in the registered range; {@link #NO_ACCESS} if that is not a
   *     multiple of its length in the peer's memory, or in a Java array whose elements are shorter
   */
  int atomic(
      int peer,
      int operation,
      long operand,
      long expected,
      MemorySegment local,
      long offset,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie);

  /**
   * Delivers what has arrived and completed. One thread at a time.
   *
   * @param limit about how many messages to deliver at most
   * @return how many messages and completions were delivered; 1 if none, but a long one has moved
   *     on: who would sleep because nothing happens is not to do so in the middle of it
   */
  int poll(NetSink sink, int limit);

  /** Gives its resources back. Posting afterwards answers {@link #BUSY}. */
  @Override
  void close();
}
