package org.lacis.net.ofi;

import java.lang.foreign.MemorySegment;
import org.lacis.net.NetException;

/**
 * Slots of one size, made as they are needed and used again. For one thread at a time; who that is
 * says the owner.
 */
final class Slots {

  private static final int CHUNK = 64;

  private final SlabList slabs;
  private final Endpoint endpoint;
  private final int payload;
  private final int kind;
  private final long access;

  /** Where leases on its slots end. */
  private final MemorySegment returned = Slot.memory(Long.BYTES);

  private long free;

  /**
   * None yet.
   *
   * @param slabs keeps their memory
   * @param kind what they are at first
   * @param payload bytes behind the head of each; a multiple of 64
   * @param access what libfabric does with the payload
   */
  Slots(SlabList slabs, Endpoint endpoint, int kind, int payload, long access) {
    this.slabs = slabs;
    this.endpoint = endpoint;
    this.kind = kind;
    this.payload = payload;
    this.access = access;
    slabs.keep(returned);
  }

  /** A slot. */
  long take() {
    if (free == 0) {
      grow();
    }
    long slot = free;
    free = Slot.next(slot);
    return slot;
  }

  void give(long slot) {
    Slot.next(slot, free);
    free = slot;
  }

  /** Those whose lease has ended since, as a list: they are not given yet. */
  long returned() {
    return Slot.takeReturned(returned.address());
  }

  private void grow() {
    long stride = (long) Slot.PAYLOAD + payload;
    MemorySegment slab = Slot.memory(stride * CHUNK);
    slabs.keep(slab);
    long descriptor = 0;
    if (payload > 0 && endpoint.provider().has(Libfabric.MR_LOCAL)) {
      // Lives as long as the endpoint: closed with its domain.
      long registration = endpoint.register(slab.address(), slab.byteSize(), access);
      if (registration == 0) {
        throw new NetException("libfabric: cannot register " + slab.byteSize() + " bytes");
      }
      descriptor = Endpoint.descriptor(registration);
    }
    for (int i = CHUNK - 1; i >= 0; i--) {
      long slot = slab.address() + i * stride;
      Slot.kind(slot, kind);
      Slot.descriptor(slot, descriptor);
      Slot.returnTo(slot, returned.address());
      give(slot);
    }
  }

  /** One of another length, with a lease that ends like those of the others. */
  long makeLarge(long length) {
    MemorySegment memory = Slot.memory(Slot.PAYLOAD + length);
    slabs.keep(memory);
    long slot = memory.address();
    Slot.kind(slot, Slot.LARGE);
    Slot.more(slot, length);
    Slot.returnTo(slot, returned.address());
    return slot;
  }

  /** The end of one of another length. */
  void dropLarge(long slot) {
    slabs.drop(slot);
  }

  int payload() {
    return payload;
  }
}
