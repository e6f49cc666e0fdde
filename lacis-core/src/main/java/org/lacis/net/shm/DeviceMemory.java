package org.lacis.net.shm;

import org.lacis.net.MemoryHeap;
import org.lacis.net.NetException;

/**
 * What a device takes from the heap of its rank: the rings that lead to it, in one piece, and the
 * slots of its pipeline.
 */
final class DeviceMemory {

  private static final long SLOTS_BYTES = Slots.BYTES + JointSlots.BYTES;

  private final MemoryHeap heap;
  private final int ranks;
  private final RingShape shape;
  private final long rings;
  private final long slots;

  /**
   * Allocates.
   *
   * @throws NetException if there is not so much left, with the numbers
   */
  DeviceMemory(MemoryHeap heap, int ranks, RingShape shape) {
    this.heap = heap;
    this.ranks = ranks;
    this.shape = shape;
    this.rings = allocate(heap, ringsBytes());
    long address = 0;
    try {
      address = allocate(heap, SLOTS_BYTES);
    } finally {
      if (address == 0) {
        heap.free(rings, ringsBytes());
      }
    }
    this.slots = address;
  }

  private static long allocate(MemoryHeap heap, long bytes) {
    long address = heap.allocate(bytes, ShmLayout.APART);
    if (address == 0) {
      throw new NetException(
          "a device needs "
              + bytes
              + " bytes of shared memory and "
              + heap.largest()
              + " are left in one piece: ask for more shared memory or for smaller rings");
    }
    return address;
  }

  private long ringsBytes() {
    return ranks * shape.bytes();
  }

  RingShape shape() {
    return shape;
  }

  /** The address of all rings. */
  long rings() {
    return rings;
  }

  /** The address of the ring from a rank. */
  long ring(int source) {
    return rings + source * shape.bytes();
  }

  /** The address of the slots for what peers carry out. */
  long slots() {
    return slots;
  }

  /** The address of the slots for what is copied together. */
  long jointSlots() {
    return slots + Slots.BYTES;
  }

  void free() {
    heap.free(rings, ringsBytes());
    heap.free(slots, SLOTS_BYTES);
  }
}
