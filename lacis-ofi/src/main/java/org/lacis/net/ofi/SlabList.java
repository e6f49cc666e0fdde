package org.lacis.net.ofi;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** Keeps the memory of slots mapped, and finds it by address. Any thread. */
final class SlabList {

  private final ConcurrentSkipListMap<Long, MemorySegment> slabs = new ConcurrentSkipListMap<>();

  void keep(MemorySegment slab) {
    slabs.put(slab.address(), slab);
  }

  /** It goes as soon as nobody has a view of it any more. */
  void drop(long address) {
    slabs.remove(address);
  }

  /** Whether it is in one of them. */
  boolean contains(long address) {
    Map.Entry<Long, MemorySegment> slab = slabs.floorEntry(address);
    return slab != null && address - slab.getKey() < slab.getValue().byteSize();
  }

  /**
   * A segment that keeps its memory mapped.
   *
   * @throws IllegalArgumentException if it is not here
   */
  MemorySegment view(long address, long length) {
    Map.Entry<Long, MemorySegment> slab = slabs.floorEntry(address);
    if (slab == null || address - slab.getKey() > slab.getValue().byteSize() - length) {
      throw new IllegalArgumentException(
          "%d bytes at %#x are neither a message nor allocated here".formatted(length, address));
    }
    return slab.getValue().asSlice(address - slab.getKey(), length);
  }
}
