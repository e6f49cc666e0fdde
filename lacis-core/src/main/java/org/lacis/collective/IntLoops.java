package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reductions of {@code int} elements. A loop for each, without a call inside, so that the compiler
 * makes the best of it.
 */
final class IntLoops {

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int STEP = Integer.BYTES;

  private IntLoops() {}

  static void sum(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(INT, i, left.get(INT, i) + right.get(INT, i));
    }
  }

  static void product(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(INT, i, left.get(INT, i) * right.get(INT, i));
    }
  }

  static void min(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(INT, i, Math.min(left.get(INT, i), right.get(INT, i)));
    }
  }

  static void max(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(INT, i, Math.max(left.get(INT, i), right.get(INT, i)));
    }
  }

  static void and(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(INT, i, left.get(INT, i) & right.get(INT, i));
    }
  }

  static void or(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(INT, i, left.get(INT, i) | right.get(INT, i));
    }
  }

  static void xor(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(INT, i, left.get(INT, i) ^ right.get(INT, i));
    }
  }
}
