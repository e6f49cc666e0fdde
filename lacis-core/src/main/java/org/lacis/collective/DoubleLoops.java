package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.function.BiConsumer;

/**
 * Reductions of {@code double} elements. A loop for each, without a call inside, so that the
 * compiler makes the best of it. Long data goes in blocks, whose loop has the same length each
 * time: or else a program that has combined single elements for a while would keep code made for
 * these.
 *
 * <p>Those that put the result in both places follow {@link Reduction.InBoth}.
 */
final class DoubleLoops {

  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
  private static final int STEP = Double.BYTES;
  private static final int BLOCK = 4096;

  /** How many elements a chunk has whose result goes to both places. */
  private static final int COUNT = Reduction.InBoth.CHUNK / STEP;

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

  /** Combines whole chunks in place, twice. */
  static Reduction.InBoth inBoth(BiConsumer<DoubleBuffer, DoubleBuffer> loop, InArray inArray) {
    return (left, right) -> {
      DoubleBuffer those = view(right);
      if (left.isNative()) {
        DoubleBuffer these = view(left);
        return () -> loop.accept(these, those);
      }
      if (left.heapBase().orElse(null) instanceof double[] array && left.address() % STEP == 0) {
        int at = Math.toIntExact(left.address() / STEP);
        return () -> inArray.combine(array, at, those);
      }
      return null;
    };
  }

  private static DoubleBuffer view(MemorySegment chunk) {
    return chunk.asByteBuffer().order(ByteOrder.nativeOrder()).asDoubleBuffer();
  }

  static void sumInBoth(DoubleBuffer left, DoubleBuffer right) {
    left.get(0);
    right.get(0);
    for (int i = 0; i < COUNT; i += 4) {
      double first = left.get(i) + right.get(i);
      double second = left.get(i + 1) + right.get(i + 1);
      double third = left.get(i + 2) + right.get(i + 2);
      double fourth = left.get(i + 3) + right.get(i + 3);
      left.put(i, first);
      left.put(i + 1, second);
      left.put(i + 2, third);
      left.put(i + 3, fourth);
      right.put(i, first);
      right.put(i + 1, second);
      right.put(i + 2, third);
      right.put(i + 3, fourth);
    }
  }

  static void minInBoth(DoubleBuffer left, DoubleBuffer right) {
    left.get(0);
    right.get(0);
    for (int i = 0; i < COUNT; i += 4) {
      double first = Math.min(left.get(i), right.get(i));
      double second = Math.min(left.get(i + 1), right.get(i + 1));
      double third = Math.min(left.get(i + 2), right.get(i + 2));
      double fourth = Math.min(left.get(i + 3), right.get(i + 3));
      left.put(i, first);
      left.put(i + 1, second);
      left.put(i + 2, third);
      left.put(i + 3, fourth);
      right.put(i, first);
      right.put(i + 1, second);
      right.put(i + 2, third);
      right.put(i + 3, fourth);
    }
  }

  static void maxInBoth(DoubleBuffer left, DoubleBuffer right) {
    left.get(0);
    right.get(0);
    for (int i = 0; i < COUNT; i += 4) {
      double first = Math.max(left.get(i), right.get(i));
      double second = Math.max(left.get(i + 1), right.get(i + 1));
      double third = Math.max(left.get(i + 2), right.get(i + 2));
      double fourth = Math.max(left.get(i + 3), right.get(i + 3));
      left.put(i, first);
      left.put(i + 1, second);
      left.put(i + 2, third);
      left.put(i + 3, fourth);
      right.put(i, first);
      right.put(i + 1, second);
      right.put(i + 2, third);
      right.put(i + 3, fourth);
    }
  }

  static void sumInBoth(double[] left, int at, DoubleBuffer right) {
    right.get(0);
    for (int i = 0; i < COUNT; i++) {
      double sum = left[at + i] + right.get(i);
      left[at + i] = sum;
      right.put(i, sum);
    }
  }

  static void minInBoth(double[] left, int at, DoubleBuffer right) {
    right.get(0);
    for (int i = 0; i < COUNT; i++) {
      double least = Math.min(left[at + i], right.get(i));
      left[at + i] = least;
      right.put(i, least);
    }
  }

  static void maxInBoth(double[] left, int at, DoubleBuffer right) {
    right.get(0);
    for (int i = 0; i < COUNT; i++) {
      double greatest = Math.max(left[at + i], right.get(i));
      left[at + i] = greatest;
      right.put(i, greatest);
    }
  }

  /** Combines a chunk of an array, from an index on, with one outside the heap. */
  @FunctionalInterface
  interface InArray {
    void combine(double[] left, int at, DoubleBuffer right);
  }
}
