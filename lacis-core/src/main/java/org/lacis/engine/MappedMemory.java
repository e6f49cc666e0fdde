package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import org.lacis.PeerMemory;
import org.lacis.net.NetMapping;

/** Memory of a peer that the network has mapped. */
final class MappedMemory implements PeerMemory {

  private final NetMapping mapping;
  private final MemorySegment segment;

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
    return mapping.hold();
  }

  @Override
  public void leave() {
    mapping.release();
  }

  @Override
  public String toString() {
    return "PeerMemory[" + segment.byteSize() + " bytes]";
  }
}
