package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.function.BiConsumer;

/**
 * Reductions of {@code int} elements. A loop for each, without a call inside, so that the compiler
 * makes the best of it. Long data goes in blocks, whose loop has the same length each time: or else
 * a program that has combined single elements for a while would keep code made for these.
 *
 * <p>Those that put the result in both places follow {@link Reduction.InBoth}.
 */
final class IntLoops {

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int STEP = Integer.BYTES;
  private static final int BLOCK = 4096;

  /** The bytes and the elements of a chunk whose result goes to both places. */
  private static final int CHUNK = Reduction.InBoth.CHUNK;

  private static final int COUNT = CHUNK / STEP;

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

  /** Combines whole chunks in place, twice. */
  static Reduction.InBoth inBoth(BiConsumer<MemorySegment, MemorySegment> loop, InArray inArray) {
    return (left, right) -> {
      if (left.isNative()) {
        return () -> loop.accept(left, right);
      }
      IntBuffer those = right.asByteBuffer().order(ByteOrder.nativeOrder()).asIntBuffer();
      if (left.heapBase().orElse(null) instanceof int[] array && left.address() % STEP == 0) {
        int at = Math.toIntExact(left.address() / STEP);
        return () -> inArray.combine(array, at, those);
      }
      return null;
    };
  }

  static void sumInBoth(MemorySegment left, MemorySegment right) {
    left.get(INT, 0);
    right.get(INT, 0);
    for (int i = 0; i < CHUNK; i += 8 * STEP) {
      int first = left.get(INT, i) + right.get(INT, i);
      int second = left.get(INT, i + STEP) + right.get(INT, i + STEP);
      int third = left.get(INT, i + 2 * STEP) + right.get(INT, i + 2 * STEP);
      int fourth = left.get(INT, i + 3 * STEP) + right.get(INT, i + 3 * STEP);
      int fifth = left.get(INT, i + 4 * STEP) + right.get(INT, i + 4 * STEP);
      int sixth = left.get(INT, i + 5 * STEP) + right.get(INT, i + 5 * STEP);
      int seventh = left.get(INT, i + 6 * STEP) + right.get(INT, i + 6 * STEP);
      int eighth = left.get(INT, i + 7 * STEP) + right.get(INT, i + 7 * STEP);
      left.set(INT, i, first);
      left.set(INT, i + STEP, second);
      left.set(INT, i + 2 * STEP, third);
      left.set(INT, i + 3 * STEP, fourth);
      left.set(INT, i + 4 * STEP, fifth);
      left.set(INT, i + 5 * STEP, sixth);
      left.set(INT, i + 6 * STEP, seventh);
      left.set(INT, i + 7 * STEP, eighth);
      right.set(INT, i, first);
      right.set(INT, i + STEP, second);
      right.set(INT, i + 2 * STEP, third);
      right.set(INT, i + 3 * STEP, fourth);
      right.set(INT, i + 4 * STEP, fifth);
      right.set(INT, i + 5 * STEP, sixth);
      right.set(INT, i + 6 * STEP, seventh);
      right.set(INT, i + 7 * STEP, eighth);
    }
  }

  static void minInBoth(MemorySegment left, MemorySegment right) {
    left.get(INT, 0);
    right.get(INT, 0);
    for (int i = 0; i < CHUNK; i += 8 * STEP) {
      int first = Math.min(left.get(INT, i), right.get(INT, i));
      int second = Math.min(left.get(INT, i + STEP), right.get(INT, i + STEP));
      int third = Math.min(left.get(INT, i + 2 * STEP), right.get(INT, i + 2 * STEP));
      int fourth = Math.min(left.get(INT, i + 3 * STEP), right.get(INT, i + 3 * STEP));
      int fifth = Math.min(left.get(INT, i + 4 * STEP), right.get(INT, i + 4 * STEP));
      int sixth = Math.min(left.get(INT, i + 5 * STEP), right.get(INT, i + 5 * STEP));
      int seventh = Math.min(left.get(INT, i + 6 * STEP), right.get(INT, i + 6 * STEP));
      int eighth = Math.min(left.get(INT, i + 7 * STEP), right.get(INT, i + 7 * STEP));
      left.set(INT, i, first);
      left.set(INT, i + STEP, second);
      left.set(INT, i + 2 * STEP, third);
      left.set(INT, i + 3 * STEP, fourth);
      left.set(INT, i + 4 * STEP, fifth);
      left.set(INT, i + 5 * STEP, sixth);
      left.set(INT, i + 6 * STEP, seventh);
      left.set(INT, i + 7 * STEP, eighth);
      right.set(INT, i, first);
      right.set(INT, i + STEP, second);
      right.set(INT, i + 2 * STEP, third);
      right.set(INT, i + 3 * STEP, fourth);
      right.set(INT, i + 4 * STEP, fifth);
      right.set(INT, i + 5 * STEP, sixth);
      right.set(INT, i + 6 * STEP, seventh);
      right.set(INT, i + 7 * STEP, eighth);
    }
  }

  static void maxInBoth(MemorySegment left, MemorySegment right) {
    left.get(INT, 0);
    right.get(INT, 0);
    for (int i = 0; i < CHUNK; i += 8 * STEP) {
      int first = Math.max(left.get(INT, i), right.get(INT, i));
      int second = Math.max(left.get(INT, i + STEP), right.get(INT, i + STEP));
      int third = Math.max(left.get(INT, i + 2 * STEP), right.get(INT, i + 2 * STEP));
      int fourth = Math.max(left.get(INT, i + 3 * STEP), right.get(INT, i + 3 * STEP));
      int fifth = Math.max(left.get(INT, i + 4 * STEP), right.get(INT, i + 4 * STEP));
      int sixth = Math.max(left.get(INT, i + 5 * STEP), right.get(INT, i + 5 * STEP));
      int seventh = Math.max(left.get(INT, i + 6 * STEP), right.get(INT, i + 6 * STEP));
      int eighth = Math.max(left.get(INT, i + 7 * STEP), right.get(INT, i + 7 * STEP));
      left.set(INT, i, first);
      left.set(INT, i + STEP, second);
      left.set(INT, i + 2 * STEP, third);
      left.set(INT, i + 3 * STEP, fourth);
      left.set(INT, i + 4 * STEP, fifth);
      left.set(INT, i + 5 * STEP, sixth);
      left.set(INT, i + 6 * STEP, seventh);
      left.set(INT, i + 7 * STEP, eighth);
      right.set(INT, i, first);
      right.set(INT, i + STEP, second);
      right.set(INT, i + 2 * STEP, third);
      right.set(INT, i + 3 * STEP, fourth);
      right.set(INT, i + 4 * STEP, fifth);
      right.set(INT, i + 5 * STEP, sixth);
      right.set(INT, i + 6 * STEP, seventh);
      right.set(INT, i + 7 * STEP, eighth);
    }
  }

  static void sumInBoth(int[] left, int at, IntBuffer right) {
    right.get(0);
    for (int i = 0; i < COUNT; i++) {
      int sum = left[at + i] + right.get(i);
      left[at + i] = sum;
      right.put(i, sum);
    }
  }

  static void minInBoth(int[] left, int at, IntBuffer right) {
    right.get(0);
    for (int i = 0; i < COUNT; i++) {
      int least = Math.min(left[at + i], right.get(i));
      left[at + i] = least;
      right.put(i, least);
    }
  }

  static void maxInBoth(int[] left, int at, IntBuffer right) {
    right.get(0);
    for (int i = 0; i < COUNT; i++) {
      int greatest = Math.max(left[at + i], right.get(i));
      left[at + i] = greatest;
      right.put(i, greatest);
    }
  }

  /** Combines a chunk of an array, from an index on, with one outside the heap. */
  @FunctionalInterface
  interface InArray {
    void combine(int[] left, int at, IntBuffer right);
  }
}
