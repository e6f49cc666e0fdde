package org.lacis;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An atomic operation on a word of a region, being put together. It is reused: finish it with
 * {@link #post(Completion)} on the same thread, and do not keep it.
 *
 * <p>It needs what to do, and {@link #remote where}. The status of its completion has what was
 * there before, as {@link Status#longAt longAt(0)}, or {@link Status#intAt intAt(0)} for 32 bits;
 * after the answer {@link Post#DONE}, which signals nothing, only a buffer given to {@link
 * #fetched} has it.
 */
public interface AtomicPosting {

  /**
   * What is done; told once.
   *
   * @param op which operation
   * @param operand what with; the lower half of it for 32 bits
   */
  AtomicPosting apply(AtomicOp op, long operand);

  /**
   * What is done: a value is written if the word is what is expected. It was if what is fetched
   * equals it. Without {@link #fetched} only the status tells, so it is never {@link Post#DONE}
   * then.
   *
   * @param expected the lower half of it for 32 bits
   * @param value the lower half of it for 32 bits
   */
  AtomicPosting compareAndSwap(long expected, long value);

  /** The length of the word: 64 if not given, or 32. */
  AtomicPosting bits(int bits);

  /**
   * Where the word is: at a multiple of its length, in memory that is aligned so, as that of {@link
   * Lacis#allocate} is.
   *
   * @param region the peer's memory, with the right to read and to write
   * @param offset where in it, in bytes
   */
  AtomicPosting remote(RemoteRegion region, long offset);

  /**
   * Where what was there before goes, little-endian.
   *
   * @param buffer as long as the word
   */
  AtomicPosting fetched(MemorySegment buffer);

  /** The remote completion: what is signalled at the peer, after the word has changed. */
  AtomicPosting target(RemoteCompletion target);

  /** The tag that the target sees, 0 to {@link Lacis#MAX_TAG}; 0 if not given. */
  AtomicPosting tag(int tag);

  /** The device to use instead of the one this was started from. */
  AtomicPosting on(Device device);

  /** An object of the user's that comes back in the status of the completion here. */
  AtomicPosting context(@Nullable Object context);

  /**
   * As {@link Posting#allowDone}; true if not given, and always false for a {@link #compareAndSwap}
   * without {@link #fetched}.
   */
  AtomicPosting allowDone(boolean allowed);

  /** As {@link Posting#allowRetry}; true if not given. */
  AtomicPosting allowRetry(boolean allowed);

  /** As {@link Posting#post}. */
  Post post(Completion done);

  /** As {@link Posting#postBlocking}. */
  Post postBlocking(Completion done);
}
