package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.lacis.PeerMemory;
import org.lacis.net.NetMapping;

/** Memory of a peer that the network has mapped. */
final class MappedMemory implements PeerMemory {

  private final NetMapping mapping;
  private final MemorySegment segment;

  /** Those that have entered: one that left too often would release what somebody else holds. */
  private final AtomicInteger inside = new AtomicInteger();

  MappedMemory(NetMapping mapping, boolean writable) {
    this.mapping = mapping;
    this.segment = writable ? mapping.segment() : mapping.segment().asReadOnly();
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public boolean enter() {
    if (!mapping.hold()) {
      return false;
    }
    inside.incrementAndGet();
    return true;
  }

  @Override
  public void leave() {
    int before;
    do {
      before = inside.get();
      if (before == 0) {
        throw new IllegalStateException(
            "nobody is inside of " + this + ": leave once for each enter that answered true");
      }
    } while (!inside.compareAndSet(before, before - 1));
    mapping.release();
  }

  @Override
  public String toString() {
    return "PeerMemory[" + segment.byteSize() + " bytes]";
  }
}
