package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reductions of {@code int} elements. A loop for each, without a call inside, so that the compiler
 * makes the best of it. Long data goes in blocks, whose loop has the same length each time: or else
 * a program that has combined single elements for a while would keep code made for these.
 */
final class IntLoops {

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int STEP = Integer.BYTES;
  private static final int BLOCK = 4096;

  private IntLoops() {}

  static void sum(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(INT, i + j, left.get(INT, i + j) + right.get(INT, i + j));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(INT, i, left.get(INT, i) + right.get(INT, i));
    }
  }

  static void product(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(INT, i + j, left.get(INT, i + j) * right.get(INT, i + j));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(INT, i, left.get(INT, i) * right.get(INT, i));
    }
  }

  static void min(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(INT, i + j, Math.min(left.get(INT, i + j), right.get(INT, i + j)));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(INT, i, Math.min(left.get(INT, i), right.get(INT, i)));
    }
  }

  static void max(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(INT, i + j, Math.max(left.get(INT, i + j), right.get(INT, i + j)));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(INT, i, Math.max(left.get(INT, i), right.get(INT, i)));
    }
  }

  static void and(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(INT, i + j, left.get(INT, i + j) & right.get(INT, i + j));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(INT, i, left.get(INT, i) & right.get(INT, i));
    }
  }

  static void or(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(INT, i + j, left.get(INT, i + j) | right.get(INT, i + j));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(INT, i, left.get(INT, i) | right.get(INT, i));
    }
  }

  static void xor(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(INT, i + j, left.get(INT, i + j) ^ right.get(INT, i + j));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(INT, i, left.get(INT, i) ^ right.get(INT, i));
    }
  }
}
