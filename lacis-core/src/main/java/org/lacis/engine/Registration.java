package org.lacis.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.lacis.Region;
import org.lacis.RemoteRegion;

/** A region: a key at the network, and, if the runtime gave the memory, the memory. */
final class Registration implements Region {

  private final Engine engine;
  private final MemorySegment segment;
  private final RemoteRegion remote;
  private final @Nullable Arena arena;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * A region.
   *
   * @param arena the life of memory that the runtime gave and takes back; null if the user brought
   *     it
   */
  Registration(Engine engine, MemorySegment segment, RemoteRegion remote, @Nullable Arena arena) {
    this.engine = engine;
    this.segment = segment;
    this.remote = remote;
    this.arena = arena;
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
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (engine.isOpen()) {
      engine.context().deregister(remote.key());
    }
    Arena life = arena;
    if (life != null) {
      // Nobody here can touch it any more when it is given out again.
      life.close();
      if (engine.isOpen()) {
        engine.context().free(segment.address(), segment.byteSize());
      }
    }
  }
}
