package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reductions of {@code long} elements. A loop for each, without a call inside, so that the compiler
 * makes the best of it. Long data goes in blocks, whose loop has the same length each time: or else
 * a program that has combined single elements for a while would keep code made for these.
 */
final class LongLoops {

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final int STEP = Long.BYTES;
  private static final int BLOCK = 4096;

  private LongLoops() {}

  static void sum(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(LONG, i + j, left.get(LONG, i + j) + right.get(LONG, i + j));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(LONG, i, left.get(LONG, i) + right.get(LONG, i));
    }
  }

  static void product(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(LONG, i + j, left.get(LONG, i + j) * right.get(LONG, i + j));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(LONG, i, left.get(LONG, i) * right.get(LONG, i));
    }
  }

  static void min(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(LONG, i + j, Math.min(left.get(LONG, i + j), right.get(LONG, i + j)));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(LONG, i, Math.min(left.get(LONG, i), right.get(LONG, i)));
    }
  }

  static void max(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(LONG, i + j, Math.max(left.get(LONG, i + j), right.get(LONG, i + j)));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(LONG, i, Math.max(left.get(LONG, i), right.get(LONG, i)));
    }
  }

  static void and(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(LONG, i + j, left.get(LONG, i + j) & right.get(LONG, i + j));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(LONG, i, left.get(LONG, i) & right.get(LONG, i));
    }
  }

  static void or(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(LONG, i + j, left.get(LONG, i + j) | right.get(LONG, i + j));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(LONG, i, left.get(LONG, i) | right.get(LONG, i));
    }
  }

  static void xor(MemorySegment left, MemorySegment right, MemorySegment result) {
    long bytes = result.byteSize();
    long i = 0;
    for (; i <= bytes - BLOCK; i += BLOCK) {
      for (int j = 0; j < BLOCK; j += STEP) {
        result.set(LONG, i + j, left.get(LONG, i + j) ^ right.get(LONG, i + j));
      }
    }
    for (; i < bytes; i += STEP) {
      result.set(LONG, i, left.get(LONG, i) ^ right.get(LONG, i));
    }
  }
}
