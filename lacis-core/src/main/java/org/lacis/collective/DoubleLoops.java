package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reductions of {@code double} elements. A loop for each, without a call inside, so that the
 * compiler makes the best of it.
 */
final class DoubleLoops {

  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
  private static final int STEP = Double.BYTES;

  private DoubleLoops() {}

  static void sum(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(DOUBLE, i, left.get(DOUBLE, i) + right.get(DOUBLE, i));
    }
  }

  static void product(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(DOUBLE, i, left.get(DOUBLE, i) * right.get(DOUBLE, i));
    }
  }

  static void min(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(DOUBLE, i, Math.min(left.get(DOUBLE, i), right.get(DOUBLE, i)));
    }
  }

  static void max(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(DOUBLE, i, Math.max(left.get(DOUBLE, i), right.get(DOUBLE, i)));
    }
  }
}
