package org.lacis.net;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Hands out pieces of a range of memory: first fit, neighbours joined when they come back. Its
 * books are kept in Java objects, as only the owner allocates. Pieces are multiples of 64 bytes,
 * and zeroed: memory that was never handed out is zero already and not touched, so that its pages
 * are taken from the system only when they are used. Thread-safe; not for hot paths.
 */
public final class MemoryHeap {

  private static final long GRAIN = Memory.CACHE_LINE;
  private static final long MAX_ALIGNMENT = 4096;

  private final long start;
  private final long end;
  private final TreeMap<Long, Long> free = new TreeMap<>();
  private final Map<Long, Long> taken = new HashMap<>();

  /** From here on nothing was ever handed out. */
  private long untouched;

  /**
   * Creates a heap over zeroed memory.
   *
   * @param start a multiple of the page size
   * @param bytes a multiple of 64
   */
  public MemoryHeap(long start, long bytes) {
    this.start = start;
    this.end = start + bytes;
    this.untouched = start;
    free.put(start, bytes);
  }

  /**
   * As {@link NetContext#allocate}.
   *
   * @return the address of a zeroed piece, or 0 if there is none so large
   */
  public long allocate(long bytes, long alignment) {
    if (bytes < 0 || alignment <= 0 || alignment > MAX_ALIGNMENT || Long.bitCount(alignment) != 1) {
      throw new IllegalArgumentException(
          "cannot allocate "
              + bytes
              + " bytes with alignment "
              + alignment
              + ": a power of two up to "
              + MAX_ALIGNMENT
              + " is needed");
    }
    if (bytes > end - start) {
      return 0;
    }
    long size = grains(bytes);
    long dirtyEnd;
    long at;
    synchronized (this) {
      at = firstFit(size, Math.max(alignment, GRAIN));
      if (at == 0) {
        return 0;
      }
      dirtyEnd = Math.min(at + size, untouched);
      untouched = Math.max(untouched, at + size);
    }
    if (dirtyEnd > at) {
      Memory.zero(at, dirtyEnd - at);
    }
    return at;
  }

  private long firstFit(long size, long alignment) {
    for (Map.Entry<Long, Long> piece : free.entrySet()) {
      long from = piece.getKey();
      long to = from + piece.getValue();
      long at = roundUp(from, alignment);
      if (at + size <= to) {
        carve(from, to, at, size);
        return at;
      }
    }
    return 0;
  }

  private void carve(long from, long to, long at, long size) {
    free.remove(from);
    if (at > from) {
      free.put(from, at - from);
    }
    if (at + size < to) {
      free.put(at + size, to - at - size);
    }
    taken.put(at, size);
  }

  /** As {@link NetContext#free}. */
  public synchronized void free(long address, long bytes) {
    Long size = taken.get(address);
    if (size == null || size != grains(bytes)) {
      throw new IllegalArgumentException(
          "%d bytes at %#x were not allocated here, or are free already".formatted(bytes, address));
    }
    taken.remove(address);
    long from = address;
    long to = address + size;
    Map.Entry<Long, Long> before = free.floorEntry(from);
    if (before != null && before.getKey() + before.getValue() == from) {
      from = before.getKey();
    }
    Long after = free.remove(to);
    if (after != null) {
      to += after;
    }
    free.put(from, to - from);
  }

  /** The largest piece that could be had, in bytes: for error messages. */
  public synchronized long largest() {
    long largest = 0;
    for (long bytes : free.values()) {
      largest = Math.max(largest, bytes);
    }
    return largest;
  }

  private static long roundUp(long value, long powerOfTwo) {
    return (value + powerOfTwo - 1) & -powerOfTwo;
  }

  private static long grains(long bytes) {
    return Math.max(GRAIN, roundUp(bytes, GRAIN));
  }
}
