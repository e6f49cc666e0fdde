package org.lacis;

import java.lang.foreign.MemorySegment;
import org.lacis.engine.ClaimedRecord;

/**
 * A message that was taken out of a matching engine before there was a receive for it: its sender,
 * tag and length are known, and it is received when there is a buffer. It is reused, so that
 * claiming allocates nothing; not for use by several threads at once.
 *
 * <pre>{@code
 * var message = ClaimedMessage.create();
 * if (engine.claim(Lacis.ANY_SOURCE, 7, message)) {
 *   message.receive(arena.allocate(message.length()), done);
 * }
 * }</pre>
 */
public abstract sealed class ClaimedMessage implements AutoCloseable permits ClaimedRecord {

  /** For the engine. */
  protected ClaimedMessage() {}

  /** Makes an empty one, to be filled by {@link MatchingEngine#claim}. */
  public static ClaimedMessage create() {
    return new ClaimedRecord();
  }

  /** Whether there is no message in it. */
  public abstract boolean isEmpty();

  /** Who has sent it. */
  public abstract int rank();

  /** Its tag. */
  public abstract int tag();

  /** Its length, in bytes. */
  public abstract long length();

  /**
   * Receives it, as a receive that was matched. This is empty afterwards.
   *
   * @param buffer where it goes; a longer message is an error of kind {@link ErrorKind#TRUNCATED}
   * @param done signalled when it is there, perhaps before this returns
   * @throws IllegalStateException if there is no message in this, or its runtime is closed
   */
  public abstract void receive(MemorySegment buffer, Completion done);

  /**
   * Receives it into a list, as {@link Posting#buffers} does. This is empty afterwards.
   *
   * @param buffers where it goes; one that does not fit is an error of kind {@link
   *     ErrorKind#TRUNCATED}
   * @param done signalled when it is there, perhaps before this returns
   * @throws IllegalStateException if there is no message in this, or its runtime is closed
   */
  public abstract void receive(BufferList buffers, Completion done);

  /** Drops the message, if there is one. A sender that waits is told that it was refused. */
  @Override
  public abstract void close();
}
