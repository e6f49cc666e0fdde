package org.lacis.testkit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Contents that belong to a number, so that they can be told apart and checked byte for byte. */
public final class Pattern {

  private static final byte MARK = 0x5A;

  private Pattern() {}

  private static long word(long number, long index) {
    long z = number * 0x9e3779b97f4a7c15L + (index + 1) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 29)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 32);
  }

  /** Fills a part of a segment with what belongs to a number. */
  static void fill(MemorySegment segment, long offset, long length, long number) {
    long i = 0;
    for (; i + 8 <= length; i += 8) {
      segment.set(JAVA_LONG_UNALIGNED, offset + i, word(number, i >>> 3));
    }
    long last = word(number, i >>> 3);
    for (; i < length; i++) {
      segment.set(JAVA_BYTE, offset + i, (byte) (last >>> (8 * (i & 7))));
    }
  }

  /** Fills all of a segment. */
  public static void fill(MemorySegment segment, long number) {
    fill(segment, 0, segment.byteSize(), number);
  }

  /** The first place, from 0, where a part of a segment is not what belongs to a number; or -1. */
  static long mismatch(MemorySegment segment, long offset, long length, long number) {
    long i = 0;
    for (; i + 8 <= length; i += 8) {
      if (segment.get(JAVA_LONG_UNALIGNED, offset + i) != word(number, i >>> 3)) {
        break;
      }
    }
    for (; i < length; i++) {
      byte expected = (byte) (word(number, i >>> 3) >>> (8 * (i & 7)));
      if (segment.get(JAVA_BYTE, offset + i) != expected) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Makes sure that a part of a segment is not what belongs to a number, at its first and last
   * byte.
   */
  static void spoil(MemorySegment segment, long offset, long length, long number) {
    for (long i : new long[] {0, length - 1}) {
      if (length > 0) {
        segment.set(JAVA_BYTE, offset + i, (byte) ~(word(number, i >>> 3) >>> (8 * (i & 7))));
      }
    }
  }

  /** Marks a part of a segment, so that it can be seen whether somebody wrote there. */
  static void mark(MemorySegment segment, long offset, long length) {
    segment.asSlice(offset, length).fill(MARK);
  }

  /** Checks that nobody wrote to a part that was marked. */
  static void checkMarked(String what, MemorySegment segment, long offset, long length) {
    for (long i = offset; i < offset + length; i++) {
      if (segment.get(JAVA_BYTE, i) != MARK) {
        throw new AssertionError(what + ": somebody wrote beside the buffer, at " + i);
      }
    }
  }

  /** Checks a part of a segment. */
  static void check(String what, MemorySegment segment, long offset, long length, long number) {
    long at = mismatch(segment, offset, length, number);
    if (at >= 0) {
      throw new AssertionError(
          what + ": the contents differ at byte " + at + " of " + length + ", offset " + offset);
    }
  }

  /** Checks all of a segment. */
  public static void check(String what, MemorySegment segment, long number) {
    check(what, segment, 0, segment.byteSize(), number);
  }

  /** A new array with what belongs to a number. */
  static byte[] bytes(int length, long number) {
    byte[] bytes = new byte[length];
    fill(MemorySegment.ofArray(bytes), number);
    return bytes;
  }
}
