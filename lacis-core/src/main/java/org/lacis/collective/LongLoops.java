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
      LongBuffer those = theirs.asByteBuffer().order(ByteOrder.nativeOrder()).asLongBuffer();
      if (data.heapBase().orElse(null) instanceof long[] from
          && target.heapBase().orElse(null) instanceof long[] to
          && data.address() == target.address()
          && data.address() % STEP == 0) {
        int at = Math.toIntExact(data.address() / STEP);
        return () -> inArray.combine(from, to, at, those);
      }
      return null;
    };
  }

  static void sumInBoth(MemorySegment ours, MemorySegment theirs) {
    ours.get(LONG, 0);
    theirs.get(LONG, 0);
    for (int i = 0; i < CHUNK; i += 4 * STEP) {
      long first = ours.get(LONG, i) + theirs.get(LONG, i);
      long second = ours.get(LONG, i + STEP) + theirs.get(LONG, i + STEP);
      long third = ours.get(LONG, i + 2 * STEP) + theirs.get(LONG, i + 2 * STEP);
      long fourth = ours.get(LONG, i + 3 * STEP) + theirs.get(LONG, i + 3 * STEP);
      ours.set(LONG, i, first);
      ours.set(LONG, i + STEP, second);
      ours.set(LONG, i + 2 * STEP, third);
      ours.set(LONG, i + 3 * STEP, fourth);
      theirs.set(LONG, i, first);
      theirs.set(LONG, i + STEP, second);
      theirs.set(LONG, i + 2 * STEP, third);
      theirs.set(LONG, i + 3 * STEP, fourth);
    }
  }

  static void minInBoth(MemorySegment ours, MemorySegment theirs) {
    ours.get(LONG, 0);
    theirs.get(LONG, 0);
    for (int i = 0; i < CHUNK; i += 4 * STEP) {
      long first = Math.min(ours.get(LONG, i), theirs.get(LONG, i));
      long second = Math.min(ours.get(LONG, i + STEP), theirs.get(LONG, i + STEP));
      long third = Math.min(ours.get(LONG, i + 2 * STEP), theirs.get(LONG, i + 2 * STEP));
      long fourth = Math.min(ours.get(LONG, i + 3 * STEP), theirs.get(LONG, i + 3 * STEP));
      ours.set(LONG, i, first);
      ours.set(LONG, i + STEP, second);
      ours.set(LONG, i + 2 * STEP, third);
      ours.set(LONG, i + 3 * STEP, fourth);
      theirs.set(LONG, i, first);
      theirs.set(LONG, i + STEP, second);
      theirs.set(LONG, i + 2 * STEP, third);
      theirs.set(LONG, i + 3 * STEP, fourth);
    }
  }

  static void maxInBoth(MemorySegment ours, MemorySegment theirs) {
    ours.get(LONG, 0);
    theirs.get(LONG, 0);
    for (int i = 0; i < CHUNK; i += 4 * STEP) {
      long first = Math.max(ours.get(LONG, i), theirs.get(LONG, i));
      long second = Math.max(ours.get(LONG, i + STEP), theirs.get(LONG, i + STEP));
      long third = Math.max(ours.get(LONG, i + 2 * STEP), theirs.get(LONG, i + 2 * STEP));
      long fourth = Math.max(ours.get(LONG, i + 3 * STEP), theirs.get(LONG, i + 3 * STEP));
      ours.set(LONG, i, first);
      ours.set(LONG, i + STEP, second);
      ours.set(LONG, i + 2 * STEP, third);
      ours.set(LONG, i + 3 * STEP, fourth);
      theirs.set(LONG, i, first);
      theirs.set(LONG, i + STEP, second);
      theirs.set(LONG, i + 2 * STEP, third);
      theirs.set(LONG, i + 3 * STEP, fourth);
    }
  }

  static void sumInBoth(MemorySegment data, MemorySegment theirs, MemorySegment target) {
    data.get(LONG, 0);
    theirs.get(LONG, 0);
    target.get(LONG, 0);
    for (int i = 0; i < CHUNK; i += 4 * STEP) {
      long first = data.get(LONG, i) + theirs.get(LONG, i);
      long second = data.get(LONG, i + STEP) + theirs.get(LONG, i + STEP);
      long third = data.get(LONG, i + 2 * STEP) + theirs.get(LONG, i + 2 * STEP);
      long fourth = data.get(LONG, i + 3 * STEP) + theirs.get(LONG, i + 3 * STEP);
      target.set(LONG, i, first);
      target.set(LONG, i + STEP, second);
      target.set(LONG, i + 2 * STEP, third);
      target.set(LONG, i + 3 * STEP, fourth);
      theirs.set(LONG, i, first);
      theirs.set(LONG, i + STEP, second);
      theirs.set(LONG, i + 2 * STEP, third);
      theirs.set(LONG, i + 3 * STEP, fourth);
    }
  }

  static void minInBoth(MemorySegment data, MemorySegment theirs, MemorySegment target) {
    data.get(LONG, 0);
    theirs.get(LONG, 0);
    target.get(LONG, 0);
    for (int i = 0; i < CHUNK; i += 4 * STEP) {
      long first = Math.min(data.get(LONG, i), theirs.get(LONG, i));
      long second = Math.min(data.get(LONG, i + STEP), theirs.get(LONG, i + STEP));
      long third = Math.min(data.get(LONG, i + 2 * STEP), theirs.get(LONG, i + 2 * STEP));
      long fourth = Math.min(data.get(LONG, i + 3 * STEP), theirs.get(LONG, i + 3 * STEP));
      target.set(LONG, i, first);
      target.set(LONG, i + STEP, second);
      target.set(LONG, i + 2 * STEP, third);
      target.set(LONG, i + 3 * STEP, fourth);
      theirs.set(LONG, i, first);
      theirs.set(LONG, i + STEP, second);
      theirs.set(LONG, i + 2 * STEP, third);
      theirs.set(LONG, i + 3 * STEP, fourth);
    }
  }

  static void maxInBoth(MemorySegment data, MemorySegment theirs, MemorySegment target) {
    data.get(LONG, 0);
    theirs.get(LONG, 0);
    target.get(LONG, 0);
    for (int i = 0; i < CHUNK; i += 4 * STEP) {
      long first = Math.max(data.get(LONG, i), theirs.get(LONG, i));
      long second = Math.max(data.get(LONG, i + STEP), theirs.get(LONG, i + STEP));
      long third = Math.max(data.get(LONG, i + 2 * STEP), theirs.get(LONG, i + 2 * STEP));
      long fourth = Math.max(data.get(LONG, i + 3 * STEP), theirs.get(LONG, i + 3 * STEP));
      target.set(LONG, i, first);
      target.set(LONG, i + STEP, second);
      target.set(LONG, i + 2 * STEP, third);
      target.set(LONG, i + 3 * STEP, fourth);
      theirs.set(LONG, i, first);
      theirs.set(LONG, i + STEP, second);
      theirs.set(LONG, i + 2 * STEP, third);
      theirs.set(LONG, i + 3 * STEP, fourth);
    }
  }

  static void sumInBoth(long[] data, long[] target, int at, LongBuffer theirs) {
    theirs.get(0);
    for (int i = 0; i < COUNT; i++) {
      long sum = data[at + i] + theirs.get(i);
      target[at + i] = sum;
      theirs.put(i, sum);
    }
  }

  static void minInBoth(long[] data, long[] target, int at, LongBuffer theirs) {
    theirs.get(0);
    for (int i = 0; i < COUNT; i++) {
      long least = Math.min(data[at + i], theirs.get(i));
      target[at + i] = least;
      theirs.put(i, least);
    }
  }

  static void maxInBoth(long[] data, long[] target, int at, LongBuffer theirs) {
    theirs.get(0);
    for (int i = 0; i < COUNT; i++) {
      long greatest = Math.max(data[at + i], theirs.get(i));
      target[at + i] = greatest;
      theirs.put(i, greatest);
    }
  }

  /** Combines chunks of arrays, from the same index on, with one outside the heap. */
  @FunctionalInterface
  interface InArray {
    void combine(long[] data, long[] target, int at, LongBuffer theirs);
  }
}
