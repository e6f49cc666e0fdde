package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reductions of {@code float} elements. A loop for each, without a call inside, so that the
 * compiler makes the best of it.
 */
final class FloatLoops {

  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final int STEP = Float.BYTES;

  private FloatLoops() {}

  static void sum(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(FLOAT, i, left.get(FLOAT, i) + right.get(FLOAT, i));
    }
  }

  static void product(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(FLOAT, i, left.get(FLOAT, i) * right.get(FLOAT, i));
    }
  }

  static void min(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(FLOAT, i, Math.min(left.get(FLOAT, i), right.get(FLOAT, i)));
    }
  }

  static void max(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    for (long i = 0; i < bytes; i += STEP) {
      result.set(FLOAT, i, Math.max(left.get(FLOAT, i), right.get(FLOAT, i)));
    }
  }
}
