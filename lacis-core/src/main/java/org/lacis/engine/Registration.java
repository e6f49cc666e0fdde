package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.lacis.Region;
import org.lacis.RemoteRegion;

/** A region: a key at the network, and, if the runtime gave the memory, the memory. */
final class Registration implements Region {

  private final Engine engine;
  private final MemorySegment segment;
  private final RemoteRegion remote;
  private final long allocated;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * A region.
   *
   * @param allocated the bytes to give back to the network's memory, or 0
   */
  Registration(Engine engine, MemorySegment segment, RemoteRegion remote, long allocated) {
    this.engine = engine;
    this.segment = segment;
    this.remote = remote;
    this.allocated = allocated;
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public RemoteRegion remote() {
    return remote;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true) && engine.isOpen()) {
      engine.context().deregister(remote.key());
      if (allocated > 0) {
        engine.context().free(segment.address(), allocated);
      }
    }
  }
}
