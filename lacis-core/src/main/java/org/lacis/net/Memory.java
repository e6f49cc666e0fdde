package org.lacis.net;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Raw memory by address: the one place that sees all of it.
 *
 * <p>One static segment over the whole address space costs 0.5 ns an access, a segment in an
 * instance field 1.2 ns and more. Nothing here checks bounds: addresses are checked once, where a
 * user's segment enters the library, and the object that owns the memory stays reachable for as
 * long as its addresses are used.
 *
 * <p>All numbers in shared memory and on the wire are little-endian.
 */
public final class Memory {

  /**
   * The line two cores hand to each other, and the distance control words of different writers keep
   * (two lines).
   */
  public static final int CACHE_LINE = 64;

  /** From so many bytes on, {@link BulkCopy} is worth its call. */
  private static final int BULK = (2 << 10) + 256;

  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /** The same, to reach a place in a mapped file by: it may have become shorter. */
  private static final MemorySegment ALL_MAPPED = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG_ATOMIC =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
  private static final VarHandle INT_ATOMIC =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

  private Memory() {}

  public static byte getByte(long address) {
    return ALL.get(JAVA_BYTE, address);
  }

  public static void putByte(long address, byte value) {
    ALL.set(JAVA_BYTE, address, value);
  }

  public static int getInt(long address) {
    return ALL.get(INT, address);
  }

  public static void putInt(long address, int value) {
    ALL.set(INT, address, value);
  }

  public static long getLong(long address) {
    return ALL.get(LONG, address);
  }

  public static void putLong(long address, long value) {
    ALL.set(LONG, address, value);
  }

  public static int getIntAcquire(long address) {
    return (int) INT_ATOMIC.getAcquire(ALL, address);
  }

  public static void putIntRelease(long address, int value) {
    INT_ATOMIC.setRelease(ALL, address, value);
  }

  public static long getLongAcquire(long address) {
    return (long) LONG_ATOMIC.getAcquire(ALL, address);
  }

  public static void putLongRelease(long address, long value) {
    LONG_ATOMIC.setRelease(ALL, address, value);
  }

  public static long getLongVolatile(long address) {
    return (long) LONG_ATOMIC.getVolatile(ALL, address);
  }

  public static boolean compareAndSetLong(long address, long expected, long value) {
    return LONG_ATOMIC.compareAndSet(ALL, address, expected, value);
  }

  public static long getAndSetLong(long address, long value) {
    return (long) LONG_ATOMIC.getAndSet(ALL, address, value);
  }

  public static long getAndAddLong(long address, long delta) {
    return (long) LONG_ATOMIC.getAndAdd(ALL, address, delta);
  }

  /** Copies between two raw ranges that do not overlap. */
  public static void copy(long from, long to, long length) {
    if (length == 8) {
      putLong(to, getLong(from));
    } else if (length <= 64) {
      copySmall(from, to, (int) length);
    } else {
      MemorySegment.copy(ALL, from, ALL, to, length);
    }
  }

  private static void copySmall(long from, long to, int length) {
    int i = 0;
    for (; i + 8 <= length; i += 8) {
      putLong(to + i, getLong(from + i));
    }
    for (; i < length; i++) {
      putByte(to + i, getByte(from + i));
    }
  }

  /**
   * As {@link #copy}, in the way that is quickest if another core has had the lines that are
   * written, and will read them.
   *
   * @param from not in a {@linkplain #isMapped mapped file}
   */
  static void copyAway(long from, long to, long length) {
    if (isBulk(from, to, length)) {
      BulkCopy.copy(from, to, length, MemorySegment.NULL);
    } else {
      copy(from, to, length);
    }
  }

  /**
   * Copies out of a segment, which is bounds-checked, to a raw address: mostly to where another
   * core reads it.
   */
  public static void copyIn(MemorySegment from, long offset, long to, long length) {
    if (length == 8) {
      putLong(to, from.get(LONG, offset));
    } else if (length >= BULK
        && from.isNative()
        && !isMapped(from)
        && isBulk(from.address() + offset, to, length)) {
      Objects.checkFromIndexSize(offset, length, from.byteSize());
      BulkCopy.copy(from.address() + offset, to, length, from);
    } else if (length > 0) {
      MemorySegment.copy(from, offset, ALL, to, length);
    }
  }

  /** Whether it is worth it, and the ranges do not overlap. */
  private static boolean isBulk(long from, long to, long length) {
    return length >= BULK && Math.abs(to - from) >= length;
  }

  /**
   * Whether a segment is, or may be, in a mapped file: if that has become shorter the JVM's copies
   * end with an error, and those of the C library the process.
   */
  @SuppressWarnings("MemorySegmentReferenceEquality") // the very segment, not an equal one
  static boolean isMapped(MemorySegment segment) {
    return segment.isMapped() || segment == ALL_MAPPED;
  }

  /** Copies from a raw address into a segment, which is bounds-checked. */
  public static void copyOut(long from, MemorySegment to, long offset, long length) {
    if (length == 8) {
      to.set(LONG, offset, getLong(from));
    } else if (length > 0) {
      MemorySegment.copy(ALL, from, to, offset, length);
    }
  }

  /** All of it as one segment: an address is an offset into it. */
  public static MemorySegment all() {
    return ALL;
  }

  /** The same, to reach what is in this segment by. */
  public static MemorySegment all(MemorySegment segment) {
    return segment.isMapped() ? ALL_MAPPED : ALL;
  }

  /**
   * A segment over a raw range, for code that wants one. The caller keeps the memory's owner
   * reachable.
   *
   * @param address where it starts
   * @param length its length in bytes
   */
  public static MemorySegment segment(long address, long length) {
    return ALL.asSlice(address, length);
  }

  /**
   * The same memory with a life of its own, which ends when the arena is closed. It stays mapped
   * until then.
   *
   * @param segment what keeps the memory mapped
   * @param arena closed by the caller
   */
  public static MemorySegment bound(MemorySegment segment, Arena arena) {
    return segment.reinterpret(arena, _ -> Reference.reachabilityFence(segment));
  }

  /**
   * Memory that somebody else has allocated, with a life that ends with the arena's.
   *
   * @param address where it starts
   * @param length its length in bytes
   * @param arena its life
   * @param free called at its end
   */
  public static MemorySegment owned(
      long address, long length, Arena arena, Consumer<MemorySegment> free) {
    return MemorySegment.ofAddress(address).reinterpret(length, arena, free);
  }

  /** Fills a raw range with zeros. */
  public static void zero(long address, long length) {
    ALL.asSlice(address, length).fill((byte) 0);
  }
}
