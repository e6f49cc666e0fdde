package org.lacis;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lacis.engine.StatusRecord;

/**
 * What has completed: peer, tag, payload, user context, error.
 *
 * <p>A status is reused, so that completions allocate nothing. Handlers are lent one for the length
 * of the call. To read a completion queue or a synchronizer, {@linkplain #create make} one, and
 * pass it again and again; each use gives up the payload of the one before. Not for use by several
 * threads at once.
 *
 * <p>A failed operation has a status too, which says {@link #failed()}; it has no payload, and
 * reading one throws an {@link IllegalStateException} that says why it failed.
 *
 * <p>Numbers are read little-endian, as x86 and ARM write them: what was written with the layouts
 * of {@link java.lang.foreign.ValueLayout}, which have the order of the machine, is read as it was.
 *
 * <pre>{@code
 * var status = Status.create();
 * while (queue.pop(status)) {
 *   IO.println(status.rank() + ": " + status.longAt(0));
 * }
 * }</pre>
 */
public abstract sealed class Status implements AutoCloseable permits StatusRecord {

  /** For the engine. */
  protected Status() {}

  /** Makes an empty status to be filled by {@link CompletionQueue#pop} and the like. */
  public static Status create() {
    return StatusRecord.standalone();
  }

  /**
   * Makes empty statuses for {@link CompletionQueue#take(Status[])} and the like.
   *
   * @param count how many
   */
  public static Status[] create(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative, but is " + count);
    }
    Status[] statuses = new Status[count];
    Arrays.setAll(statuses, i -> create());
    return statuses;
  }

  /**
   * Makes a status that says what an operation of this rank would say that is complete: to {@link
   * Completion#signal signal} a completion object by hand.
   *
   * @param rank the peer, or whatever it should be for whoever reads it
   * @param tag the tag, likewise
   * @param buffer the payload, all of it; {@link MemorySegment#NULL} if there is none
   * @param context the user context; null if there is none
   */
  public static Status of(int rank, int tag, MemorySegment buffer, @Nullable Object context) {
    return StatusRecord.of(rank, tag, buffer, context);
  }

  /**
   * Makes a status that says that something has failed: for a {@link Startable} of your own, whose
   * completion object wants to hear of it. Several objects may be signalled with it.
   *
   * @param error why; its rank is that of the status
   */
  public static Status failure(CommunicationException error) {
    return StatusRecord.failure(error);
  }

  /** The peer: the sender of what was received, or the target of what was sent, put or got. */
  public abstract int rank();

  /** The tag of the message, or of the operation. */
  public abstract int tag();

  /** The number of bytes received, sent, put or got, without a piggyback. */
  public abstract long length();

  /**
   * How many parts the message was sent, put or got in: those of its {@link BufferList}, or 1 if it
   * was one buffer. A remote completion of a put or get is told only if there was a piggyback.
   */
  public abstract int parts();

  /**
   * The length of a part of the message as it was sent, in bytes.
   *
   * @param index from 0 to {@code parts() - 1}
   */
  public abstract long partLength(int index);

  /**
   * The {@linkplain BufferList#withPiggyback piggyback} that came with a list; a segment of length
   * 0 if none did. Lent: valid until this status is used again or closed.
   */
  public abstract MemorySegment piggyback();

  /**
   * What was given as {@link Posting#immediate} by the peer whose active message, put or get
   * signals a completion object here; 0 if nothing was.
   */
  public abstract long immediate();

  /**
   * What was given as {@link Posting#context} when the operation was posted here; null if nothing
   * was.
   */
  public abstract @Nullable Object context();

  /** Why the operation failed; null if it did not. */
  public abstract @Nullable CommunicationException error();

  /** Whether the operation failed. */
  public final boolean failed() {
    return error() != null;
  }

  /**
   * The memory that holds the payload, which starts at its beginning and is {@link #length()} bytes
   * long; the memory may be longer. For an operation posted here it is the buffer that was posted.
   * For an active message it is lent: it is valid until this status is used again or closed.
   *
   * @throws IllegalStateException if there is no payload, as after a put with signal, or if it is
   *     in the parts of a {@link BufferList} that was posted here
   */
  public abstract MemorySegment buffer();

  /**
   * The payload as a segment of exactly {@link #length()} bytes: a slice of {@link #buffer()}.
   *
   * @throws IllegalStateException if there is no payload, because the operation has failed for one
   */
  public final MemorySegment payload() {
    CommunicationException error = error();
    if (error != null) {
      throw hasFailed(error);
    }
    MemorySegment whole = buffer();
    long length = length();
    return whole.byteSize() == length ? whole : whole.asSlice(0, length);
  }

  /**
   * Reads the payload, little-endian.
   *
   * @param offset in bytes, 0 to {@code length() - 8}
   */
  public abstract long longAt(long offset);

  /**
   * Reads the payload, little-endian.
   *
   * @param offset in bytes, 0 to {@code length() - 4}
   */
  public abstract int intAt(long offset);

  /**
   * Reads the payload, little-endian.
   *
   * @param offset in bytes, 0 to {@code length() - 8}
   */
  public final double doubleAt(long offset) {
    return Double.longBitsToDouble(longAt(offset));
  }

  /**
   * Reads the payload, little-endian.
   *
   * @param offset in bytes, 0 to {@code length() - 4}
   */
  public final float floatAt(long offset) {
    return Float.intBitsToFloat(intAt(offset));
  }

  /**
   * Reads the payload, little-endian.
   *
   * @param offset in bytes, 0 to {@code length() - 2}
   */
  public final short shortAt(long offset) {
    return (short) ((byteAt(offset) & 0xff) | (byteAt(offset + 1) << Byte.SIZE));
  }

  /**
   * Reads a byte of the payload.
   *
   * @param offset in bytes, 0 to {@code length() - 1}
   */
  public abstract byte byteAt(long offset);

  /** What reading the payload of a failed operation throws. */
  protected static IllegalStateException hasFailed(CommunicationException error) {
    return new IllegalStateException("this operation has failed: " + error.getMessage(), error);
  }

  /**
   * Copies the payload, all of it, without making a segment.
   *
   * @param target where to
   * @param offset where in it, in bytes
   * @throws IndexOutOfBoundsException if it does not fit
   */
  public abstract void copyTo(MemorySegment target, long offset);

  /**
   * Moves everything, with the right to the payload, to another status; this one is empty
   * afterwards.
   *
   * @param target loses what it had
   */
  public abstract void moveTo(Status target);

  /** Gives the payload up. The status can be used again. */
  @Override
  public abstract void close();
}
