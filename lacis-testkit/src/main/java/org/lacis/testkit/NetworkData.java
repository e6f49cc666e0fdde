package org.lacis.testkit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.lacis.net.NetContext;

/** Bytes that can be told apart, in memory of every kind. */
final class NetworkData {

  /** Kinds of memory that users have. */
  enum Kind {
    HEAP_BYTES,
    HEAP_LONGS,
    NATIVE,
    CONFINED,
    ALLOCATED
  }

  private static final long ALIGNMENT = 64;

  private NetworkData() {}

  /** Bytes that belong to a number. */
  static byte[] bytes(long number, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(number).nextBytes(bytes);
    return bytes;
  }

  /** Memory of a kind, of at least so many bytes. */
  static MemorySegment memory(Kind kind, long bytes, NetContext context) {
    return switch (kind) {
      case HEAP_BYTES -> MemorySegment.ofArray(new byte[(int) bytes]);
      case HEAP_LONGS -> MemorySegment.ofArray(new long[(int) (bytes / Long.BYTES + 1)]);
      case NATIVE -> Arena.ofAuto().allocate(bytes, 1);
      // Never closed: only the thread that made it may reach it through this segment.
      case CONFINED -> Arena.ofConfined().allocate(bytes, 1);
      case ALLOCATED -> {
        long address = context.allocate(bytes, ALIGNMENT);
        if (address == 0) {
          throw new AssertionError("rank " + context.rank() + " has no " + bytes + " bytes left");
        }
        yield context.view(address, bytes);
      }
    };
  }

  /** Copies bytes into memory. */
  static void fill(MemorySegment memory, long offset, byte[] bytes) {
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, memory, offset, bytes.length);
  }

  /** A copy of bytes in memory. */
  static byte[] read(MemorySegment memory, long offset, long length) {
    byte[] bytes = new byte[(int) length];
    MemorySegment.copy(memory, offset, MemorySegment.ofArray(bytes), 0, length);
    return bytes;
  }
}
