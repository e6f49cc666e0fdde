package org.lacis;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Several buffers that are sent, received, put or got as one: gathered on the way out, scattered on
 * the way in. Immutable; make it once and post it as often as you like, which allocates nothing.
 *
 * <p>A list that meets a receive with a list goes part by part: both have as many parts, and each
 * part of the receive is at least as long as what is sent to it. A list that meets a receive with
 * one buffer arrives there in one piece, and one buffer that is sent to a receive with a list fills
 * its parts in order.
 *
 * <p>The <em>piggyback</em> is a small buffer that travels with the list, but is no part of it: at
 * most {@link Lacis#piggybackLimit} bytes. It may be used again as soon as the post was answered
 * with something else than a retry, even with {@link Post#POSTED}, unless {@link
 * Posting#allowRetry} is off. The receiver finds it in its own list's piggyback, if it has one, and
 * in {@link Status#piggyback()}; the remote completion of a put or get finds it there too.
 */
public final class BufferList {

  /** The most parts of a list. */
  public static final int MAX_PARTS = 64;

  private final MemorySegment[] parts;
  private final @Nullable MemorySegment piggyback;
  private final long length;

  private BufferList(MemorySegment[] parts, @Nullable MemorySegment piggyback, long length) {
    this.parts = parts;
    this.piggyback = piggyback;
    this.length = length;
  }

  /**
   * A list of buffers, each used as a whole.
   *
   * @param parts at most {@value #MAX_PARTS}; none, or empty ones, are allowed
   */
  public static BufferList of(MemorySegment... parts) {
    if (parts.length > MAX_PARTS) {
      throw new IllegalArgumentException(
          "a list has at most " + MAX_PARTS + " parts, but these are " + parts.length);
    }
    MemorySegment[] copy = parts.clone();
    long length = 0;
    for (int i = 0; i < copy.length; i++) {
      if (copy[i] == null) {
        throw new NullPointerException("part " + i + " of the list");
      }
      if (copy[i].byteSize() > Long.MAX_VALUE - length) {
        throw new IllegalArgumentException(
            "the parts must have less than 2^63 bytes together, but part "
                + i
                + " has "
                + copy[i].byteSize()
                + " behind "
                + length);
      }
      length += copy[i].byteSize();
    }
    return new BufferList(copy, null, length);
  }

  /**
   * The same list with a piggyback.
   *
   * @param buffer what is sent with the list, all of it; or where what comes with a list goes
   */
  public BufferList withPiggyback(MemorySegment buffer) {
    return new BufferList(parts, Objects.requireNonNull(buffer, "piggyback"), length);
  }

  /** How many parts there are. */
  public int count() {
    return parts.length;
  }

  /**
   * A part.
   *
   * @param index from 0
   */
  public MemorySegment part(int index) {
    return parts[Objects.checkIndex(index, parts.length)];
  }

  /** The piggyback; null if there is none. */
  public @Nullable MemorySegment piggyback() {
    return piggyback;
  }

  /** The length of all parts together, without the piggyback, in bytes. */
  public long length() {
    return length;
  }

  @Override
  public String toString() {
    MemorySegment p = piggyback;
    return "BufferList["
        + parts.length
        + " parts, "
        + length
        + " bytes"
        + (p == null ? "" : ", piggyback " + p.byteSize() + " bytes")
        + "]";
  }
}
