package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.function.BiConsumer;

/**
 * Reductions of {@code float} elements. A loop for each, without a call inside, so that the
 * compiler makes the best of it. Long data goes in blocks, whose loop has the same length each
 * time: or else a program that has combined single elements for a while would keep code made for
 * these.
 *
 * <p>Those that put the result in both places follow {@link Reduction.InBoth}.
 */
final class FloatLoops {

  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final int STEP = Float.BYTES;
  private static final int BLOCK = 4096;

  /** How many elements a chunk has whose result goes to both places. */
  private static final int COUNT = Reduction.InBoth.CHUNK / STEP;

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

  /** Combines whole chunks in place, twice. */
  static Reduction.InBoth inBoth(BiConsumer<FloatBuffer, FloatBuffer> loop, InArray inArray) {
    return (left, right) -> {
      FloatBuffer those = view(right);
      if (left.isNative()) {
        FloatBuffer these = view(left);
        return () -> loop.accept(these, those);
      }
      if (left.heapBase().orElse(null) instanceof float[] array && left.address() % STEP == 0) {
        int at = Math.toIntExact(left.address() / STEP);
        return () -> inArray.combine(array, at, those);
      }
      return null;
    };
  }

  private static FloatBuffer view(MemorySegment chunk) {
    return chunk.asByteBuffer().order(ByteOrder.nativeOrder()).asFloatBuffer();
  }

  static void sumInBoth(FloatBuffer left, FloatBuffer right) {
    left.get(0);
    right.get(0);
    for (int i = 0; i < COUNT; i += 8) {
      float first = left.get(i) + right.get(i);
      float second = left.get(i + 1) + right.get(i + 1);
      float third = left.get(i + 2) + right.get(i + 2);
      float fourth = left.get(i + 3) + right.get(i + 3);
      float fifth = left.get(i + 4) + right.get(i + 4);
      float sixth = left.get(i + 5) + right.get(i + 5);
      float seventh = left.get(i + 6) + right.get(i + 6);
      float eighth = left.get(i + 7) + right.get(i + 7);
      left.put(i, first);
      left.put(i + 1, second);
      left.put(i + 2, third);
      left.put(i + 3, fourth);
      left.put(i + 4, fifth);
      left.put(i + 5, sixth);
      left.put(i + 6, seventh);
      left.put(i + 7, eighth);
      right.put(i, first);
      right.put(i + 1, second);
      right.put(i + 2, third);
      right.put(i + 3, fourth);
      right.put(i + 4, fifth);
      right.put(i + 5, sixth);
      right.put(i + 6, seventh);
      right.put(i + 7, eighth);
    }
  }

  static void minInBoth(FloatBuffer left, FloatBuffer right) {
    left.get(0);
    right.get(0);
    for (int i = 0; i < COUNT; i += 8) {
      float first = Math.min(left.get(i), right.get(i));
      float second = Math.min(left.get(i + 1), right.get(i + 1));
      float third = Math.min(left.get(i + 2), right.get(i + 2));
      float fourth = Math.min(left.get(i + 3), right.get(i + 3));
      float fifth = Math.min(left.get(i + 4), right.get(i + 4));
      float sixth = Math.min(left.get(i + 5), right.get(i + 5));
      float seventh = Math.min(left.get(i + 6), right.get(i + 6));
      float eighth = Math.min(left.get(i + 7), right.get(i + 7));
      left.put(i, first);
      left.put(i + 1, second);
      left.put(i + 2, third);
      left.put(i + 3, fourth);
      left.put(i + 4, fifth);
      left.put(i + 5, sixth);
      left.put(i + 6, seventh);
      left.put(i + 7, eighth);
      right.put(i, first);
      right.put(i + 1, second);
      right.put(i + 2, third);
      right.put(i + 3, fourth);
      right.put(i + 4, fifth);
      right.put(i + 5, sixth);
      right.put(i + 6, seventh);
      right.put(i + 7, eighth);
    }
  }

  static void maxInBoth(FloatBuffer left, FloatBuffer right) {
    left.get(0);
    right.get(0);
    for (int i = 0; i < COUNT; i += 8) {
      float first = Math.max(left.get(i), right.get(i));
      float second = Math.max(left.get(i + 1), right.get(i + 1));
      float third = Math.max(left.get(i + 2), right.get(i + 2));
      float fourth = Math.max(left.get(i + 3), right.get(i + 3));
      float fifth = Math.max(left.get(i + 4), right.get(i + 4));
      float sixth = Math.max(left.get(i + 5), right.get(i + 5));
      float seventh = Math.max(left.get(i + 6), right.get(i + 6));
      float eighth = Math.max(left.get(i + 7), right.get(i + 7));
      left.put(i, first);
      left.put(i + 1, second);
      left.put(i + 2, third);
      left.put(i + 3, fourth);
      left.put(i + 4, fifth);
      left.put(i + 5, sixth);
      left.put(i + 6, seventh);
      left.put(i + 7, eighth);
      right.put(i, first);
      right.put(i + 1, second);
      right.put(i + 2, third);
      right.put(i + 3, fourth);
      right.put(i + 4, fifth);
      right.put(i + 5, sixth);
      right.put(i + 6, seventh);
      right.put(i + 7, eighth);
    }
  }

  static void sumInBoth(float[] left, int at, FloatBuffer right) {
    right.get(0);
    for (int i = 0; i < COUNT; i++) {
      float sum = left[at + i] + right.get(i);
      left[at + i] = sum;
      right.put(i, sum);
    }
  }

  static void minInBoth(float[] left, int at, FloatBuffer right) {
    right.get(0);
    for (int i = 0; i < COUNT; i++) {
      float least = Math.min(left[at + i], right.get(i));
      left[at + i] = least;
      right.put(i, least);
    }
  }

  static void maxInBoth(float[] left, int at, FloatBuffer right) {
    right.get(0);
    for (int i = 0; i < COUNT; i++) {
      float greatest = Math.max(left[at + i], right.get(i));
      left[at + i] = greatest;
      right.put(i, greatest);
    }
  }

  /** Combines a chunk of an array, from an index on, with one outside the heap. */
  @FunctionalInterface
  interface InArray {
    void combine(float[] left, int at, FloatBuffer right);
  }
}
