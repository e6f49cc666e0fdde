package org.lacis.net.tcp;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Memory;

/**
 * Buffers over native memory, by address, for channels, which take nothing else. A buffer cannot be
 * moved, and making one for every transfer would be garbage; so a few are kept, each over a long
 * stretch of the address space, and placed over what is asked for by their position and limit. For
 * one thread at a time.
 */
final class Windows {

  /** The distance of windows. Each is almost twice as long, so that any part fits into one. */
  private static final int DISTANCE = 1 << 30;

  /** As long as a buffer over memory can be. */
  private static final int LENGTH = Integer.MAX_VALUE - 8;

  private static final int COUNT = 8;

  private final long[] bases = new long[COUNT];
  private final @Nullable ByteBuffer[] buffers = new ByteBuffer[COUNT];
  private int next;

  Windows() {
    Arrays.fill(bases, -1);
  }

  /**
   * A buffer whose remaining bytes are this range. The caller keeps the memory alive.
   *
   * @param length of a part or a packet, that is, of some megabytes at most
   */
  ByteBuffer over(long address, int length) {
    long base = address & -(long) DISTANCE;
    int from = (int) (address - base);
    for (int i = 0; i < COUNT; i++) {
      ByteBuffer buffer = buffers[i];
      if (bases[i] == base && buffer != null) {
        return buffer.limit(from + length).position(from);
      }
    }
    ByteBuffer made = Memory.segment(base, LENGTH).asByteBuffer();
    next = (next + 1) % COUNT;
    bases[next] = base;
    buffers[next] = made;
    return made.limit(from + length).position(from);
  }
}
