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

  /** Combines whole chunks, with the result in both places. */
  static Reduction.InBoth inBoth(
      BiConsumer<MemorySegment, MemorySegment> inPlace,
      Reduction.InBoth.Loop<MemorySegment> apart,
      InArray inArray) {
    return (data, theirs, target) -> {
      if (data.isNative() && target.isNative()) {
        return data.equals(target)
            ? () -> inPlace.accept(target, theirs)
            : () -> apart.combine(data, theirs, target);
      }
      IntBuffer those = theirs.asByteBuffer().order(ByteOrder.nativeOrder()).asIntBuffer();
      if (data.heapBase().orElse(null) instanceof int[] from
          && target.heapBase().orElse(null) instanceof int[] to
          && data.address() == target.address()
          && data.address() % STEP == 0) {
        int at = Math.toIntExact(data.address() / STEP);
        return () -> inArray.combine(from, to, at, those);
      }
      return null;
    };
  }

  static void sumInBoth(MemorySegment ours, MemorySegment theirs) {
    ours.get(INT, 0);
    theirs.get(INT, 0);
    for (int i = 0; i < CHUNK; i += 8 * STEP) {
      int first = ours.get(INT, i) + theirs.get(INT, i);
      int second = ours.get(INT, i + STEP) + theirs.get(INT, i + STEP);
      int third = ours.get(INT, i + 2 * STEP) + theirs.get(INT, i + 2 * STEP);
      int fourth = ours.get(INT, i + 3 * STEP) + theirs.get(INT, i + 3 * STEP);
      int fifth = ours.get(INT, i + 4 * STEP) + theirs.get(INT, i + 4 * STEP);
      int sixth = ours.get(INT, i + 5 * STEP) + theirs.get(INT, i + 5 * STEP);
      int seventh = ours.get(INT, i + 6 * STEP) + theirs.get(INT, i + 6 * STEP);
      int eighth = ours.get(INT, i + 7 * STEP) + theirs.get(INT, i + 7 * STEP);
      ours.set(INT, i, first);
      ours.set(INT, i + STEP, second);
      ours.set(INT, i + 2 * STEP, third);
      ours.set(INT, i + 3 * STEP, fourth);
      ours.set(INT, i + 4 * STEP, fifth);
      ours.set(INT, i + 5 * STEP, sixth);
      ours.set(INT, i + 6 * STEP, seventh);
      ours.set(INT, i + 7 * STEP, eighth);
      theirs.set(INT, i, first);
      theirs.set(INT, i + STEP, second);
      theirs.set(INT, i + 2 * STEP, third);
      theirs.set(INT, i + 3 * STEP, fourth);
      theirs.set(INT, i + 4 * STEP, fifth);
      theirs.set(INT, i + 5 * STEP, sixth);
      theirs.set(INT, i + 6 * STEP, seventh);
      theirs.set(INT, i + 7 * STEP, eighth);
    }
  }

  static void minInBoth(MemorySegment ours, MemorySegment theirs) {
    ours.get(INT, 0);
    theirs.get(INT, 0);
    for (int i = 0; i < CHUNK; i += 8 * STEP) {
      int first = Math.min(ours.get(INT, i), theirs.get(INT, i));
      int second = Math.min(ours.get(INT, i + STEP), theirs.get(INT, i + STEP));
      int third = Math.min(ours.get(INT, i + 2 * STEP), theirs.get(INT, i + 2 * STEP));
      int fourth = Math.min(ours.get(INT, i + 3 * STEP), theirs.get(INT, i + 3 * STEP));
      int fifth = Math.min(ours.get(INT, i + 4 * STEP), theirs.get(INT, i + 4 * STEP));
      int sixth = Math.min(ours.get(INT, i + 5 * STEP), theirs.get(INT, i + 5 * STEP));
      int seventh = Math.min(ours.get(INT, i + 6 * STEP), theirs.get(INT, i + 6 * STEP));
      int eighth = Math.min(ours.get(INT, i + 7 * STEP), theirs.get(INT, i + 7 * STEP));
      ours.set(INT, i, first);
      ours.set(INT, i + STEP, second);
      ours.set(INT, i + 2 * STEP, third);
      ours.set(INT, i + 3 * STEP, fourth);
      ours.set(INT, i + 4 * STEP, fifth);
      ours.set(INT, i + 5 * STEP, sixth);
      ours.set(INT, i + 6 * STEP, seventh);
      ours.set(INT, i + 7 * STEP, eighth);
      theirs.set(INT, i, first);
      theirs.set(INT, i + STEP, second);
      theirs.set(INT, i + 2 * STEP, third);
      theirs.set(INT, i + 3 * STEP, fourth);
      theirs.set(INT, i + 4 * STEP, fifth);
      theirs.set(INT, i + 5 * STEP, sixth);
      theirs.set(INT, i + 6 * STEP, seventh);
      theirs.set(INT, i + 7 * STEP, eighth);
    }
  }

  static void maxInBoth(MemorySegment ours, MemorySegment theirs) {
    ours.get(INT, 0);
    theirs.get(INT, 0);
    for (int i = 0; i < CHUNK; i += 8 * STEP) {
      int first = Math.max(ours.get(INT, i), theirs.get(INT, i));
      int second = Math.max(ours.get(INT, i + STEP), theirs.get(INT, i + STEP));
      int third = Math.max(ours.get(INT, i + 2 * STEP), theirs.get(INT, i + 2 * STEP));
      int fourth = Math.max(ours.get(INT, i + 3 * STEP), theirs.get(INT, i + 3 * STEP));
      int fifth = Math.max(ours.get(INT, i + 4 * STEP), theirs.get(INT, i + 4 * STEP));
      int sixth = Math.max(ours.get(INT, i + 5 * STEP), theirs.get(INT, i + 5 * STEP));
      int seventh = Math.max(ours.get(INT, i + 6 * STEP), theirs.get(INT, i + 6 * STEP));
      int eighth = Math.max(ours.get(INT, i + 7 * STEP), theirs.get(INT, i + 7 * STEP));
      ours.set(INT, i, first);
      ours.set(INT, i + STEP, second);
      ours.set(INT, i + 2 * STEP, third);
      ours.set(INT, i + 3 * STEP, fourth);
      ours.set(INT, i + 4 * STEP, fifth);
      ours.set(INT, i + 5 * STEP, sixth);
      ours.set(INT, i + 6 * STEP, seventh);
      ours.set(INT, i + 7 * STEP, eighth);
      theirs.set(INT, i, first);
      theirs.set(INT, i + STEP, second);
      theirs.set(INT, i + 2 * STEP, third);
      theirs.set(INT, i + 3 * STEP, fourth);
      theirs.set(INT, i + 4 * STEP, fifth);
      theirs.set(INT, i + 5 * STEP, sixth);
      theirs.set(INT, i + 6 * STEP, seventh);
      theirs.set(INT, i + 7 * STEP, eighth);
    }
  }

  static void sumInBoth(MemorySegment data, MemorySegment theirs, MemorySegment target) {
    data.get(INT, 0);
    theirs.get(INT, 0);
    target.get(INT, 0);
    for (int i = 0; i < CHUNK; i += 8 * STEP) {
      int first = data.get(INT, i) + theirs.get(INT, i);
      int second = data.get(INT, i + STEP) + theirs.get(INT, i + STEP);
      int third = data.get(INT, i + 2 * STEP) + theirs.get(INT, i + 2 * STEP);
      int fourth = data.get(INT, i + 3 * STEP) + theirs.get(INT, i + 3 * STEP);
      int fifth = data.get(INT, i + 4 * STEP) + theirs.get(INT, i + 4 * STEP);
      int sixth = data.get(INT, i + 5 * STEP) + theirs.get(INT, i + 5 * STEP);
      int seventh = data.get(INT, i + 6 * STEP) + theirs.get(INT, i + 6 * STEP);
      int eighth = data.get(INT, i + 7 * STEP) + theirs.get(INT, i + 7 * STEP);
      target.set(INT, i, first);
      target.set(INT, i + STEP, second);
      target.set(INT, i + 2 * STEP, third);
      target.set(INT, i + 3 * STEP, fourth);
      target.set(INT, i + 4 * STEP, fifth);
      target.set(INT, i + 5 * STEP, sixth);
      target.set(INT, i + 6 * STEP, seventh);
      target.set(INT, i + 7 * STEP, eighth);
      theirs.set(INT, i, first);
      theirs.set(INT, i + STEP, second);
      theirs.set(INT, i + 2 * STEP, third);
      theirs.set(INT, i + 3 * STEP, fourth);
      theirs.set(INT, i + 4 * STEP, fifth);
      theirs.set(INT, i + 5 * STEP, sixth);
      theirs.set(INT, i + 6 * STEP, seventh);
      theirs.set(INT, i + 7 * STEP, eighth);
    }
  }

  static void minInBoth(MemorySegment data, MemorySegment theirs, MemorySegment target) {
    data.get(INT, 0);
    theirs.get(INT, 0);
    target.get(INT, 0);
    for (int i = 0; i < CHUNK; i += 8 * STEP) {
      int first = Math.min(data.get(INT, i), theirs.get(INT, i));
      int second = Math.min(data.get(INT, i + STEP), theirs.get(INT, i + STEP));
      int third = Math.min(data.get(INT, i + 2 * STEP), theirs.get(INT, i + 2 * STEP));
      int fourth = Math.min(data.get(INT, i + 3 * STEP), theirs.get(INT, i + 3 * STEP));
      int fifth = Math.min(data.get(INT, i + 4 * STEP), theirs.get(INT, i + 4 * STEP));
      int sixth = Math.min(data.get(INT, i + 5 * STEP), theirs.get(INT, i + 5 * STEP));
      int seventh = Math.min(data.get(INT, i + 6 * STEP), theirs.get(INT, i + 6 * STEP));
      int eighth = Math.min(data.get(INT, i + 7 * STEP), theirs.get(INT, i + 7 * STEP));
      target.set(INT, i, first);
      target.set(INT, i + STEP, second);
      target.set(INT, i + 2 * STEP, third);
      target.set(INT, i + 3 * STEP, fourth);
      target.set(INT, i + 4 * STEP, fifth);
      target.set(INT, i + 5 * STEP, sixth);
      target.set(INT, i + 6 * STEP, seventh);
      target.set(INT, i + 7 * STEP, eighth);
      theirs.set(INT, i, first);
      theirs.set(INT, i + STEP, second);
      theirs.set(INT, i + 2 * STEP, third);
      theirs.set(INT, i + 3 * STEP, fourth);
      theirs.set(INT, i + 4 * STEP, fifth);
      theirs.set(INT, i + 5 * STEP, sixth);
      theirs.set(INT, i + 6 * STEP, seventh);
      theirs.set(INT, i + 7 * STEP, eighth);
    }
  }

  static void maxInBoth(MemorySegment data, MemorySegment theirs, MemorySegment target) {
    data.get(INT, 0);
    theirs.get(INT, 0);
    target.get(INT, 0);
    for (int i = 0; i < CHUNK; i += 8 * STEP) {
      int first = Math.max(data.get(INT, i), theirs.get(INT, i));
      int second = Math.max(data.get(INT, i + STEP), theirs.get(INT, i + STEP));
      int third = Math.max(data.get(INT, i + 2 * STEP), theirs.get(INT, i + 2 * STEP));
      int fourth = Math.max(data.get(INT, i + 3 * STEP), theirs.get(INT, i + 3 * STEP));
      int fifth = Math.max(data.get(INT, i + 4 * STEP), theirs.get(INT, i + 4 * STEP));
      int sixth = Math.max(data.get(INT, i + 5 * STEP), theirs.get(INT, i + 5 * STEP));
      int seventh = Math.max(data.get(INT, i + 6 * STEP), theirs.get(INT, i + 6 * STEP));
      int eighth = Math.max(data.get(INT, i + 7 * STEP), theirs.get(INT, i + 7 * STEP));
      target.set(INT, i, first);
      target.set(INT, i + STEP, second);
      target.set(INT, i + 2 * STEP, third);
      target.set(INT, i + 3 * STEP, fourth);
      target.set(INT, i + 4 * STEP, fifth);
      target.set(INT, i + 5 * STEP, sixth);
      target.set(INT, i + 6 * STEP, seventh);
      target.set(INT, i + 7 * STEP, eighth);
      theirs.set(INT, i, first);
      theirs.set(INT, i + STEP, second);
      theirs.set(INT, i + 2 * STEP, third);
      theirs.set(INT, i + 3 * STEP, fourth);
      theirs.set(INT, i + 4 * STEP, fifth);
      theirs.set(INT, i + 5 * STEP, sixth);
      theirs.set(INT, i + 6 * STEP, seventh);
      theirs.set(INT, i + 7 * STEP, eighth);
    }
  }

  static void sumInBoth(int[] data, int[] target, int at, IntBuffer theirs) {
    theirs.get(0);
    for (int i = 0; i < COUNT; i++) {
      int sum = data[at + i] + theirs.get(i);
      target[at + i] = sum;
      theirs.put(i, sum);
    }
  }

  static void minInBoth(int[] data, int[] target, int at, IntBuffer theirs) {
    theirs.get(0);
    for (int i = 0; i < COUNT; i++) {
      int least = Math.min(data[at + i], theirs.get(i));
      target[at + i] = least;
      theirs.put(i, least);
    }
  }

  static void maxInBoth(int[] data, int[] target, int at, IntBuffer theirs) {
    theirs.get(0);
    for (int i = 0; i < COUNT; i++) {
      int greatest = Math.max(data[at + i], theirs.get(i));
      target[at + i] = greatest;
      theirs.put(i, greatest);
    }
  }

  /** Combines chunks of arrays, from the same index on, with one outside the heap. */
  @FunctionalInterface
  interface InArray {
    void combine(int[] data, int[] target, int at, IntBuffer theirs);
  }
}
