package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.lacis.BufferList;
import org.lacis.net.Memory;

/** What is checked of a user's buffer before the engine keeps it. */
final class Buffers {

  /** Some thread other than any user's: what it may access, all may. */
  private static final Thread STRANGER = Thread.ofPlatform().unstarted(() -> {});

  private static final int PIGGYBACK = -1;

  private Buffers() {}

  /** Memory that is read, perhaps later and by another thread. */
  static void checkReadable(MemorySegment buffer, long offset, long length) {
    checkAlive(buffer);
    if ((offset | length) < 0 || length > buffer.byteSize() - offset) {
      throw new IndexOutOfBoundsException(
          "offset "
              + offset
              + " and length "
              + length
              + " do not lie in a buffer of "
              + buffer.byteSize()
              + " bytes");
    }
  }

  /** Memory that is written, perhaps later and by another thread. */
  static void checkWritable(MemorySegment buffer, long offset, long length) {
    checkReadable(buffer, offset, length);
    if (buffer.isReadOnly()) {
      throw new IllegalArgumentException("buffer is read-only, but this operation writes into it");
    }
  }

  /** The parts of a list, and its piggyback. */
  static void checkList(BufferList list, boolean written) {
    checkList(list, written, written);
  }

  static void checkList(BufferList list, boolean written, boolean piggybackWritten) {
    for (int i = 0; i < list.count(); i++) {
      checkPart(list.part(i), written, i);
    }
    MemorySegment piggyback = list.piggyback();
    if (piggyback != null) {
      checkPart(piggyback, piggybackWritten, PIGGYBACK);
    }
  }

  private static void checkPart(MemorySegment part, boolean written, int index) {
    try {
      if (written) {
        checkWritable(part, 0, part.byteSize());
      } else {
        checkReadable(part, 0, part.byteSize());
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name(index) + e.getMessage(), e);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(name(index) + e.getMessage(), e);
    } catch (WrongThreadException e) {
      throw new WrongThreadException(name(index) + e.getMessage());
    }
  }

  private static String name(int index) {
    return (index == PIGGYBACK ? "piggyback" : "part " + index) + " of the list: ";
  }

  static void checkAlive(MemorySegment buffer) {
    Objects.requireNonNull(buffer, "buffer");
    if (!buffer.scope().isAlive()) {
      throw new IllegalStateException("buffer belongs to an arena that is closed");
    }
    if (!buffer.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException(
          "buffer belongs to an arena that is confined to another thread: post it from there, or"
              + " use Arena.ofShared() or Arena.ofAuto()");
    }
  }

  /**
   * What a buffer is reached through by any thread: progress may be made by another than the one
   * that owns a confined arena. It is the buffer, or all memory, which costs no new segment; {@link
   * #offset} goes with it. The user's own segment is kept beside it.
   */
  static MemorySegment shareable(MemorySegment buffer) {
    return buffer.isAccessibleBy(STRANGER) ? buffer : Memory.all(buffer);
  }

  /** Where in what is {@link #shareable} a place of the buffer is. */
  @SuppressWarnings("MemorySegmentReferenceEquality") // the very segment, not an equal one
  static long offset(MemorySegment shareable, MemorySegment buffer, long offset) {
    return shareable == buffer ? offset : buffer.address() + offset;
  }
}
