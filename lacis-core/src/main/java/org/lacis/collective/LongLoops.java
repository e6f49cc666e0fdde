package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reductions of {@code long} elements. A loop for each, without a call inside, so that the compiler
 * makes the best of it.
 */
final class LongLoops {

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final int STEP = Long.BYTES;

  private LongLoops() {}

  static void sum(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(LONG, i, left.get(LONG, i) + right.get(LONG, i));
    }
  }

  static void product(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(LONG, i, left.get(LONG, i) * right.get(LONG, i));
    }
  }

  static void min(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(LONG, i, Math.min(left.get(LONG, i), right.get(LONG, i)));
    }
  }

  static void max(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(LONG, i, Math.max(left.get(LONG, i), right.get(LONG, i)));
    }
  }

  static void and(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(LONG, i, left.get(LONG, i) & right.get(LONG, i));
    }
  }

  static void or(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(LONG, i, left.get(LONG, i) | right.get(LONG, i));
    }
  }

  static void xor(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(LONG, i, left.get(LONG, i) ^ right.get(LONG, i));
    }
  }
}
