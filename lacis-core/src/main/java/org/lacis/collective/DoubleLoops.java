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

  /** Combines whole chunks, with the result in both places. */
  static Reduction.InBoth inBoth(
      BiConsumer<DoubleBuffer, DoubleBuffer> inPlace,
      Reduction.InBoth.Loop<DoubleBuffer> apart,
      InArray inArray) {
    return (data, theirs, target) -> {
      DoubleBuffer those = view(theirs);
      if (data.isNative() && target.isNative()) {
        DoubleBuffer from = view(data);
        DoubleBuffer to = view(target);
        return data.equals(target)
            ? () -> inPlace.accept(to, those)
            : () -> apart.combine(from, those, to);
      }
      if (data.heapBase().orElse(null) instanceof double[] from
          && target.heapBase().orElse(null) instanceof double[] to
          && data.address() == target.address()
          && data.address() % STEP == 0) {
        int at = Math.toIntExact(data.address() / STEP);
        return () -> inArray.combine(from, to, at, those);
      }
      return null;
    };
  }

  private static DoubleBuffer view(MemorySegment chunk) {
    return chunk.asByteBuffer().order(ByteOrder.nativeOrder()).asDoubleBuffer();
  }

  static void sumInBoth(DoubleBuffer ours, DoubleBuffer theirs) {
    ours.get(0);
    theirs.get(0);
    for (int i = 0; i < COUNT; i += 4) {
      double first = ours.get(i) + theirs.get(i);
      double second = ours.get(i + 1) + theirs.get(i + 1);
      double third = ours.get(i + 2) + theirs.get(i + 2);
      double fourth = ours.get(i + 3) + theirs.get(i + 3);
      ours.put(i, first);
      ours.put(i + 1, second);
      ours.put(i + 2, third);
      ours.put(i + 3, fourth);
      theirs.put(i, first);
      theirs.put(i + 1, second);
      theirs.put(i + 2, third);
      theirs.put(i + 3, fourth);
    }
  }

  static void minInBoth(DoubleBuffer ours, DoubleBuffer theirs) {
    ours.get(0);
    theirs.get(0);
    for (int i = 0; i < COUNT; i += 4) {
      double first = Math.min(ours.get(i), theirs.get(i));
      double second = Math.min(ours.get(i + 1), theirs.get(i + 1));
      double third = Math.min(ours.get(i + 2), theirs.get(i + 2));
      double fourth = Math.min(ours.get(i + 3), theirs.get(i + 3));
      ours.put(i, first);
      ours.put(i + 1, second);
      ours.put(i + 2, third);
      ours.put(i + 3, fourth);
      theirs.put(i, first);
      theirs.put(i + 1, second);
      theirs.put(i + 2, third);
      theirs.put(i + 3, fourth);
    }
  }

  static void maxInBoth(DoubleBuffer ours, DoubleBuffer theirs) {
    ours.get(0);
    theirs.get(0);
    for (int i = 0; i < COUNT; i += 4) {
      double first = Math.max(ours.get(i), theirs.get(i));
      double second = Math.max(ours.get(i + 1), theirs.get(i + 1));
      double third = Math.max(ours.get(i + 2), theirs.get(i + 2));
      double fourth = Math.max(ours.get(i + 3), theirs.get(i + 3));
      ours.put(i, first);
      ours.put(i + 1, second);
      ours.put(i + 2, third);
      ours.put(i + 3, fourth);
      theirs.put(i, first);
      theirs.put(i + 1, second);
      theirs.put(i + 2, third);
      theirs.put(i + 3, fourth);
    }
  }

  static void sumInBoth(DoubleBuffer data, DoubleBuffer theirs, DoubleBuffer target) {
    data.get(0);
    theirs.get(0);
    target.get(0);
    for (int i = 0; i < COUNT; i += 4) {
      double first = data.get(i) + theirs.get(i);
      double second = data.get(i + 1) + theirs.get(i + 1);
      double third = data.get(i + 2) + theirs.get(i + 2);
      double fourth = data.get(i + 3) + theirs.get(i + 3);
      target.put(i, first);
      target.put(i + 1, second);
      target.put(i + 2, third);
      target.put(i + 3, fourth);
      theirs.put(i, first);
      theirs.put(i + 1, second);
      theirs.put(i + 2, third);
      theirs.put(i + 3, fourth);
    }
  }

  static void minInBoth(DoubleBuffer data, DoubleBuffer theirs, DoubleBuffer target) {
    data.get(0);
    theirs.get(0);
    target.get(0);
    for (int i = 0; i < COUNT; i += 4) {
      double first = Math.min(data.get(i), theirs.get(i));
      double second = Math.min(data.get(i + 1), theirs.get(i + 1));
      double third = Math.min(data.get(i + 2), theirs.get(i + 2));
      double fourth = Math.min(data.get(i + 3), theirs.get(i + 3));
      target.put(i, first);
      target.put(i + 1, second);
      target.put(i + 2, third);
      target.put(i + 3, fourth);
      theirs.put(i, first);
      theirs.put(i + 1, second);
      theirs.put(i + 2, third);
      theirs.put(i + 3, fourth);
    }
  }

  static void maxInBoth(DoubleBuffer data, DoubleBuffer theirs, DoubleBuffer target) {
    data.get(0);
    theirs.get(0);
    target.get(0);
    for (int i = 0; i < COUNT; i += 4) {
      double first = Math.max(data.get(i), theirs.get(i));
      double second = Math.max(data.get(i + 1), theirs.get(i + 1));
      double third = Math.max(data.get(i + 2), theirs.get(i + 2));
      double fourth = Math.max(data.get(i + 3), theirs.get(i + 3));
      target.put(i, first);
      target.put(i + 1, second);
      target.put(i + 2, third);
      target.put(i + 3, fourth);
      theirs.put(i, first);
      theirs.put(i + 1, second);
      theirs.put(i + 2, third);
      theirs.put(i + 3, fourth);
    }
  }

  static void sumInBoth(double[] data, double[] target, int at, DoubleBuffer theirs) {
    theirs.get(0);
    for (int i = 0; i < COUNT; i++) {
      double sum = data[at + i] + theirs.get(i);
      target[at + i] = sum;
      theirs.put(i, sum);
    }
  }

  static void minInBoth(double[] data, double[] target, int at, DoubleBuffer theirs) {
    theirs.get(0);
    for (int i = 0; i < COUNT; i++) {
      double least = Math.min(data[at + i], theirs.get(i));
      target[at + i] = least;
      theirs.put(i, least);
    }
  }

  static void maxInBoth(double[] data, double[] target, int at, DoubleBuffer theirs) {
    theirs.get(0);
    for (int i = 0; i < COUNT; i++) {
      double greatest = Math.max(data[at + i], theirs.get(i));
      target[at + i] = greatest;
      theirs.put(i, greatest);
    }
  }

  /** Combines chunks of arrays, from the same index on, with one outside the heap. */
  @FunctionalInterface
  interface InArray {
    void combine(double[] data, double[] target, int at, DoubleBuffer theirs);
  }
}
