package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.function.BiConsumer;

/**
 * Reductions of {@code long} elements. A loop for each, without a call inside, so that the compiler
 * makes the best of it. Long data goes in blocks, whose loop has the same length each time: or else
 * a program that has combined single elements for a while would keep code made for these.
 *
 * <p>Those that put the result in both places follow {@link Reduction.InBoth}.
 */
final class LongLoops {

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final int STEP = Long.BYTES;
  private static final int BLOCK = 4096;

  /** The bytes and the elements of a chunk whose result goes to both places. */
  private static final int CHUNK = Reduction.InBoth.CHUNK;

  private static final int COUNT = CHUNK / STEP;

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

  /** Combines whole chunks in place, twice. */
  static Reduction.InBoth inBoth(BiConsumer<MemorySegment, MemorySegment> loop, InArray inArray) {
    return (left, right) -> {
      if (left.isNative()) {
        return () -> loop.accept(left, right);
      }
      LongBuffer those = right.asByteBuffer().order(ByteOrder.nativeOrder()).asLongBuffer();
      if (left.heapBase().orElse(null) instanceof long[] array && left.address() % STEP == 0) {
        int at = Math.toIntExact(left.address() / STEP);
        return () -> inArray.combine(array, at, those);
      }
      return null;
    };
  }

  static void sumInBoth(MemorySegment left, MemorySegment right) {
    left.get(LONG, 0);
    right.get(LONG, 0);
    for (int i = 0; i < CHUNK; i += 4 * STEP) {
      long first = left.get(LONG, i) + right.get(LONG, i);
      long second = left.get(LONG, i + STEP) + right.get(LONG, i + STEP);
      long third = left.get(LONG, i + 2 * STEP) + right.get(LONG, i + 2 * STEP);
      long fourth = left.get(LONG, i + 3 * STEP) + right.get(LONG, i + 3 * STEP);
      left.set(LONG, i, first);
      left.set(LONG, i + STEP, second);
      left.set(LONG, i + 2 * STEP, third);
      left.set(LONG, i + 3 * STEP, fourth);
      right.set(LONG, i, first);
      right.set(LONG, i + STEP, second);
      right.set(LONG, i + 2 * STEP, third);
      right.set(LONG, i + 3 * STEP, fourth);
    }
  }

  static void minInBoth(MemorySegment left, MemorySegment right) {
    left.get(LONG, 0);
    right.get(LONG, 0);
    for (int i = 0; i < CHUNK; i += 4 * STEP) {
      long first = Math.min(left.get(LONG, i), right.get(LONG, i));
      long second = Math.min(left.get(LONG, i + STEP), right.get(LONG, i + STEP));
      long third = Math.min(left.get(LONG, i + 2 * STEP), right.get(LONG, i + 2 * STEP));
      long fourth = Math.min(left.get(LONG, i + 3 * STEP), right.get(LONG, i + 3 * STEP));
      left.set(LONG, i, first);
      left.set(LONG, i + STEP, second);
      left.set(LONG, i + 2 * STEP, third);
      left.set(LONG, i + 3 * STEP, fourth);
      right.set(LONG, i, first);
      right.set(LONG, i + STEP, second);
      right.set(LONG, i + 2 * STEP, third);
      right.set(LONG, i + 3 * STEP, fourth);
    }
  }

  static void maxInBoth(MemorySegment left, MemorySegment right) {
    left.get(LONG, 0);
    right.get(LONG, 0);
    for (int i = 0; i < CHUNK; i += 4 * STEP) {
      long first = Math.max(left.get(LONG, i), right.get(LONG, i));
      long second = Math.max(left.get(LONG, i + STEP), right.get(LONG, i + STEP));
      long third = Math.max(left.get(LONG, i + 2 * STEP), right.get(LONG, i + 2 * STEP));
      long fourth = Math.max(left.get(LONG, i + 3 * STEP), right.get(LONG, i + 3 * STEP));
      left.set(LONG, i, first);
      left.set(LONG, i + STEP, second);
      left.set(LONG, i + 2 * STEP, third);
      left.set(LONG, i + 3 * STEP, fourth);
      right.set(LONG, i, first);
      right.set(LONG, i + STEP, second);
      right.set(LONG, i + 2 * STEP, third);
      right.set(LONG, i + 3 * STEP, fourth);
    }
  }

  static void sumInBoth(long[] left, int at, LongBuffer right) {
    right.get(0);
    for (int i = 0; i < COUNT; i++) {
      long sum = left[at + i] + right.get(i);
      left[at + i] = sum;
      right.put(i, sum);
    }
  }

  static void minInBoth(long[] left, int at, LongBuffer right) {
    right.get(0);
    for (int i = 0; i < COUNT; i++) {
      long least = Math.min(left[at + i], right.get(i));
      left[at + i] = least;
      right.put(i, least);
    }
  }

  static void maxInBoth(long[] left, int at, LongBuffer right) {
    right.get(0);
    for (int i = 0; i < COUNT; i++) {
      long greatest = Math.max(left[at + i], right.get(i));
      left[at + i] = greatest;
      right.put(i, greatest);
    }
  }

  /** Combines a chunk of an array, from an index on, with one outside the heap. */
  @FunctionalInterface
  interface InArray {
    void combine(long[] left, int at, LongBuffer right);
  }
}
