package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reductions of {@code float} elements. A loop for each, without a call inside, so that the
 * compiler makes the best of it. Long data goes in blocks, whose loop has the same length each
 * time: or else a program that has combined single elements for a while would keep code made for
 * these.
 */
final class FloatLoops {

  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final int STEP = Float.BYTES;
  private static final int BLOCK = 4096;

  private FloatLoops() {}

  static void sum(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(FLOAT, i + j, left.get(FLOAT, i + j) + right.get(FLOAT, i + j));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(FLOAT, i, left.get(FLOAT, i) + right.get(FLOAT, i));
    }
  }

  static void product(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(FLOAT, i + j, left.get(FLOAT, i + j) * right.get(FLOAT, i + j));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(FLOAT, i, left.get(FLOAT, i) * right.get(FLOAT, i));
    }
  }

  static void min(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(FLOAT, i + j, Math.min(left.get(FLOAT, i + j), right.get(FLOAT, i + j)));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(FLOAT, i, Math.min(left.get(FLOAT, i), right.get(FLOAT, i)));
    }
  }

  static void max(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(FLOAT, i + j, Math.max(left.get(FLOAT, i + j), right.get(FLOAT, i + j)));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(FLOAT, i, Math.max(left.get(FLOAT, i), right.get(FLOAT, i)));
    }
  }
}
