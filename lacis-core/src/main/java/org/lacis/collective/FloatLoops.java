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

  /** Combines whole chunks, with the result in both places. */
  static Reduction.InBoth inBoth(
      BiConsumer<FloatBuffer, FloatBuffer> inPlace,
      Reduction.InBoth.Loop<FloatBuffer> apart,
      InArray inArray) {
    return (data, theirs, target) -> {
      FloatBuffer those = view(theirs);
      if (data.isNative() && target.isNative()) {
        FloatBuffer from = view(data);
        FloatBuffer to = view(target);
        return data.equals(target)
            ? () -> inPlace.accept(to, those)
            : () -> apart.combine(from, those, to);
      }
      if (data.heapBase().orElse(null) instanceof float[] from
          && target.heapBase().orElse(null) instanceof float[] to
          && data.address() == target.address()
          && data.address() % STEP == 0) {
        int at = Math.toIntExact(data.address() / STEP);
        return () -> inArray.combine(from, to, at, those);
      }
      return null;
    };
  }

  private static FloatBuffer view(MemorySegment chunk) {
    return chunk.asByteBuffer().order(ByteOrder.nativeOrder()).asFloatBuffer();
  }

  static void sumInBoth(FloatBuffer ours, FloatBuffer theirs) {
    ours.get(0);
    theirs.get(0);
    for (int i = 0; i < COUNT; i += 8) {
      float first = ours.get(i) + theirs.get(i);
      float second = ours.get(i + 1) + theirs.get(i + 1);
      float third = ours.get(i + 2) + theirs.get(i + 2);
      float fourth = ours.get(i + 3) + theirs.get(i + 3);
      float fifth = ours.get(i + 4) + theirs.get(i + 4);
      float sixth = ours.get(i + 5) + theirs.get(i + 5);
      float seventh = ours.get(i + 6) + theirs.get(i + 6);
      float eighth = ours.get(i + 7) + theirs.get(i + 7);
      ours.put(i, first);
      ours.put(i + 1, second);
      ours.put(i + 2, third);
      ours.put(i + 3, fourth);
      ours.put(i + 4, fifth);
      ours.put(i + 5, sixth);
      ours.put(i + 6, seventh);
      ours.put(i + 7, eighth);
      theirs.put(i, first);
      theirs.put(i + 1, second);
      theirs.put(i + 2, third);
      theirs.put(i + 3, fourth);
      theirs.put(i + 4, fifth);
      theirs.put(i + 5, sixth);
      theirs.put(i + 6, seventh);
      theirs.put(i + 7, eighth);
    }
  }

  static void minInBoth(FloatBuffer ours, FloatBuffer theirs) {
    ours.get(0);
    theirs.get(0);
    for (int i = 0; i < COUNT; i += 8) {
      float first = Math.min(ours.get(i), theirs.get(i));
      float second = Math.min(ours.get(i + 1), theirs.get(i + 1));
      float third = Math.min(ours.get(i + 2), theirs.get(i + 2));
      float fourth = Math.min(ours.get(i + 3), theirs.get(i + 3));
      float fifth = Math.min(ours.get(i + 4), theirs.get(i + 4));
      float sixth = Math.min(ours.get(i + 5), theirs.get(i + 5));
      float seventh = Math.min(ours.get(i + 6), theirs.get(i + 6));
      float eighth = Math.min(ours.get(i + 7), theirs.get(i + 7));
      ours.put(i, first);
      ours.put(i + 1, second);
      ours.put(i + 2, third);
      ours.put(i + 3, fourth);
      ours.put(i + 4, fifth);
      ours.put(i + 5, sixth);
      ours.put(i + 6, seventh);
      ours.put(i + 7, eighth);
      theirs.put(i, first);
      theirs.put(i + 1, second);
      theirs.put(i + 2, third);
      theirs.put(i + 3, fourth);
      theirs.put(i + 4, fifth);
      theirs.put(i + 5, sixth);
      theirs.put(i + 6, seventh);
      theirs.put(i + 7, eighth);
    }
  }

  static void maxInBoth(FloatBuffer ours, FloatBuffer theirs) {
    ours.get(0);
    theirs.get(0);
    for (int i = 0; i < COUNT; i += 8) {
      float first = Math.max(ours.get(i), theirs.get(i));
      float second = Math.max(ours.get(i + 1), theirs.get(i + 1));
      float third = Math.max(ours.get(i + 2), theirs.get(i + 2));
      float fourth = Math.max(ours.get(i + 3), theirs.get(i + 3));
      float fifth = Math.max(ours.get(i + 4), theirs.get(i + 4));
      float sixth = Math.max(ours.get(i + 5), theirs.get(i + 5));
      float seventh = Math.max(ours.get(i + 6), theirs.get(i + 6));
      float eighth = Math.max(ours.get(i + 7), theirs.get(i + 7));
      ours.put(i, first);
      ours.put(i + 1, second);
      ours.put(i + 2, third);
      ours.put(i + 3, fourth);
      ours.put(i + 4, fifth);
      ours.put(i + 5, sixth);
      ours.put(i + 6, seventh);
      ours.put(i + 7, eighth);
      theirs.put(i, first);
      theirs.put(i + 1, second);
      theirs.put(i + 2, third);
      theirs.put(i + 3, fourth);
      theirs.put(i + 4, fifth);
      theirs.put(i + 5, sixth);
      theirs.put(i + 6, seventh);
      theirs.put(i + 7, eighth);
    }
  }

  static void sumInBoth(FloatBuffer data, FloatBuffer theirs, FloatBuffer target) {
    data.get(0);
    theirs.get(0);
    target.get(0);
    for (int i = 0; i < COUNT; i += 8) {
      float first = data.get(i) + theirs.get(i);
      float second = data.get(i + 1) + theirs.get(i + 1);
      float third = data.get(i + 2) + theirs.get(i + 2);
      float fourth = data.get(i + 3) + theirs.get(i + 3);
      float fifth = data.get(i + 4) + theirs.get(i + 4);
      float sixth = data.get(i + 5) + theirs.get(i + 5);
      float seventh = data.get(i + 6) + theirs.get(i + 6);
      float eighth = data.get(i + 7) + theirs.get(i + 7);
      target.put(i, first);
      target.put(i + 1, second);
      target.put(i + 2, third);
      target.put(i + 3, fourth);
      target.put(i + 4, fifth);
      target.put(i + 5, sixth);
      target.put(i + 6, seventh);
      target.put(i + 7, eighth);
      theirs.put(i, first);
      theirs.put(i + 1, second);
      theirs.put(i + 2, third);
      theirs.put(i + 3, fourth);
      theirs.put(i + 4, fifth);
      theirs.put(i + 5, sixth);
      theirs.put(i + 6, seventh);
      theirs.put(i + 7, eighth);
    }
  }

  static void minInBoth(FloatBuffer data, FloatBuffer theirs, FloatBuffer target) {
    data.get(0);
    theirs.get(0);
    target.get(0);
    for (int i = 0; i < COUNT; i += 8) {
      float first = Math.min(data.get(i), theirs.get(i));
      float second = Math.min(data.get(i + 1), theirs.get(i + 1));
      float third = Math.min(data.get(i + 2), theirs.get(i + 2));
      float fourth = Math.min(data.get(i + 3), theirs.get(i + 3));
      float fifth = Math.min(data.get(i + 4), theirs.get(i + 4));
      float sixth = Math.min(data.get(i + 5), theirs.get(i + 5));
      float seventh = Math.min(data.get(i + 6), theirs.get(i + 6));
      float eighth = Math.min(data.get(i + 7), theirs.get(i + 7));
      target.put(i, first);
      target.put(i + 1, second);
      target.put(i + 2, third);
      target.put(i + 3, fourth);
      target.put(i + 4, fifth);
      target.put(i + 5, sixth);
      target.put(i + 6, seventh);
      target.put(i + 7, eighth);
      theirs.put(i, first);
      theirs.put(i + 1, second);
      theirs.put(i + 2, third);
      theirs.put(i + 3, fourth);
      theirs.put(i + 4, fifth);
      theirs.put(i + 5, sixth);
      theirs.put(i + 6, seventh);
      theirs.put(i + 7, eighth);
    }
  }

  static void maxInBoth(FloatBuffer data, FloatBuffer theirs, FloatBuffer target) {
    data.get(0);
    theirs.get(0);
    target.get(0);
    for (int i = 0; i < COUNT; i += 8) {
      float first = Math.max(data.get(i), theirs.get(i));
      float second = Math.max(data.get(i + 1), theirs.get(i + 1));
      float third = Math.max(data.get(i + 2), theirs.get(i + 2));
      float fourth = Math.max(data.get(i + 3), theirs.get(i + 3));
      float fifth = Math.max(data.get(i + 4), theirs.get(i + 4));
      float sixth = Math.max(data.get(i + 5), theirs.get(i + 5));
      float seventh = Math.max(data.get(i + 6), theirs.get(i + 6));
      float eighth = Math.max(data.get(i + 7), theirs.get(i + 7));
      target.put(i, first);
      target.put(i + 1, second);
      target.put(i + 2, third);
      target.put(i + 3, fourth);
      target.put(i + 4, fifth);
      target.put(i + 5, sixth);
      target.put(i + 6, seventh);
      target.put(i + 7, eighth);
      theirs.put(i, first);
      theirs.put(i + 1, second);
      theirs.put(i + 2, third);
      theirs.put(i + 3, fourth);
      theirs.put(i + 4, fifth);
      theirs.put(i + 5, sixth);
      theirs.put(i + 6, seventh);
      theirs.put(i + 7, eighth);
    }
  }

  static void sumInBoth(float[] data, float[] target, int at, FloatBuffer theirs) {
    theirs.get(0);
    for (int i = 0; i < COUNT; i++) {
      float sum = data[at + i] + theirs.get(i);
      target[at + i] = sum;
      theirs.put(i, sum);
    }
  }

  static void minInBoth(float[] data, float[] target, int at, FloatBuffer theirs) {
    theirs.get(0);
    for (int i = 0; i < COUNT; i++) {
      float least = Math.min(data[at + i], theirs.get(i));
      target[at + i] = least;
      theirs.put(i, least);
    }
  }

  static void maxInBoth(float[] data, float[] target, int at, FloatBuffer theirs) {
    theirs.get(0);
    for (int i = 0; i < COUNT; i++) {
      float greatest = Math.max(data[at + i], theirs.get(i));
      target[at + i] = greatest;
      theirs.put(i, greatest);
    }
  }

  /** Combines chunks of arrays, from the same index on, with one outside the heap. */
  @FunctionalInterface
  interface InArray {
    void combine(float[] data, float[] target, int at, FloatBuffer theirs);
  }
}
