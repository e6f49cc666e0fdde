package org.lacis.net.tcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.lacis.net.MemoryHeap;

/**
 * The memory of a context: what users allocate, up to a limit, and what payloads are lent from. It
 * comes in slabs, taken from the system when they are needed, as the JDK clears native memory, and
 * with that touches it, when it is allocated. Slabs stay mapped while anything refers to them.
 */
final class TcpMemory {

  private static final long PAGE = 4096;
  private static final long SLAB = 1L << 20;

  /** Has nothing to give, but refuses what is no size or alignment. */
  private static final MemoryHeap CHECKS = new MemoryHeap(PAGE, 0);

  private record Slab(MemorySegment segment, MemoryHeap heap) {
    boolean has(long address) {
      long offset = address - segment.address();
      return offset >= 0 && offset < segment.byteSize();
    }
  }

  private final long limit;

  /** Replaced, never changed: posts look through it, and an iterator might be an object. */
  private volatile Slab[] slabs = {};

  /** Everything that payloads or users' pieces may lie in, by address. */
  private final ConcurrentSkipListMap<Long, MemorySegment> known = new ConcurrentSkipListMap<>();

  private long taken;

  TcpMemory(long limit) {
    this.limit = roundUp(limit);
  }

  /** As {@link org.lacis.net.NetContext#allocate}. */
  synchronized long allocate(long bytes, long alignment) {
    CHECKS.allocate(bytes, alignment);
    for (Slab slab : slabs) {
      long address = slab.heap.allocate(bytes, alignment);
      if (address != 0) {
        return address;
      }
    }
    if (bytes > limit - taken || roundUp(bytes) > limit - taken) {
      return 0;
    }
    long size = Math.min(Math.max(roundUp(bytes), SLAB), limit - taken);
    MemorySegment segment;
    try {
      segment = Arena.ofAuto().allocate(size, PAGE);
    } catch (OutOfMemoryError e) {
      return 0;
    }
    Slab slab = new Slab(segment, new MemoryHeap(segment.address(), size));
    long address = slab.heap.allocate(bytes, alignment);
    taken += size;
    Slab[] more = Arrays.copyOf(slabs, slabs.length + 1);
    more[slabs.length] = slab;
    slabs = more;
    known.put(segment.address(), segment);
    return address;
  }

  private static long roundUp(long bytes) {
    return (Math.max(bytes, 1) + PAGE - 1) & -PAGE;
  }

  /** As {@link org.lacis.net.NetContext#free}. */
  synchronized void free(long address, long bytes) {
    for (Slab slab : slabs) {
      if (slab.has(address)) {
        slab.heap.free(address, bytes);
        return;
      }
    }
    throw new IllegalArgumentException(
        "%d bytes at %#x were not allocated here".formatted(bytes, address));
  }

  /** Whether a range is one that was allocated here. */
  boolean contains(long address, long bytes) {
    for (Slab slab : slabs) {
      if (slab.has(address)) {
        return bytes <= slab.segment.address() + slab.segment.byteSize() - address;
      }
    }
    return false;
  }

  /** Memory that payloads lie in, beyond the limit: what it is for has a limit of its own. */
  MemorySegment slab(long bytes) {
    MemorySegment segment = Arena.ofAuto().allocate(bytes, 64);
    known.put(segment.address(), segment);
    return segment;
  }

  /** How much of it there is now. */
  long lentBytes() {
    return known.values().stream().mapToLong(MemorySegment::byteSize).sum();
  }

  /** Forgets what {@link #slab} has given: no payload lies there any more. */
  void forget(MemorySegment slab) {
    known.remove(slab.address());
  }

  /** As {@link org.lacis.net.NetContext#contains}. */
  boolean knows(long address) {
    Map.Entry<Long, MemorySegment> found = known.floorEntry(address);
    return found != null && address - found.getKey() < found.getValue().byteSize();
  }

  /** As {@link org.lacis.net.NetContext#view}. */
  MemorySegment view(long address, long length) {
    Map.Entry<Long, MemorySegment> found = known.floorEntry(address);
    if (found == null || address - found.getKey() >= found.getValue().byteSize()) {
      throw new IllegalArgumentException(
          "%#x is not in the memory of this rank".formatted(address));
    }
    return found.getValue().asSlice(address - found.getKey(), length);
  }
}
