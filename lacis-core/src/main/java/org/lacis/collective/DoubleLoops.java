package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reductions of {@code double} elements. A loop for each, without a call inside, so that the
 * compiler makes the best of it. Long data goes in blocks, whose loop has the same length each
 * time: or else a program that has combined single elements for a while would keep code made for
 * these.
 */
final class DoubleLoops {

  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
  private static final int STEP = Double.BYTES;
  private static final int BLOCK = 4096;

  private DoubleLoops() {}

  static void sum(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(DOUBLE, i + j, left.get(DOUBLE, i + j) + right.get(DOUBLE, i + j));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(DOUBLE, i, left.get(DOUBLE, i) + right.get(DOUBLE, i));
    }
  }

  static void product(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(DOUBLE, i + j, left.get(DOUBLE, i + j) * right.get(DOUBLE, i + j));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(DOUBLE, i, left.get(DOUBLE, i) * right.get(DOUBLE, i));
    }
  }

  static void min(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(DOUBLE, i + j, Math.min(left.get(DOUBLE, i + j), right.get(DOUBLE, i + j)));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(DOUBLE, i, Math.min(left.get(DOUBLE, i), right.get(DOUBLE, i)));
    }
  }

  static void max(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(DOUBLE, i + j, Math.max(left.get(DOUBLE, i + j), right.get(DOUBLE, i + j)));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(DOUBLE, i, Math.max(left.get(DOUBLE, i), right.get(DOUBLE, i)));
    }
  }
}
