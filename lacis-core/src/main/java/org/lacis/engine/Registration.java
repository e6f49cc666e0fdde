package org.lacis.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.lacis.Info;
import org.lacis.Region;
import org.lacis.RemoteRegion;
import org.lacis.Rights;

/** A region: a key at the network, and, if the runtime gave the memory, the memory. */
final class Registration implements Region {

  private final Engine engine;
  private final Regions regions;
  private final String name;
  private final MemorySegment segment;
  private final RemoteRegion remote;
  private final @Nullable Arena arena;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Slices that are open. */
  private final Set<Registration> slices = ConcurrentHashMap.newKeySet();

  /** Set once, before anybody else has the slice: what it is a slice of. */
  private @Nullable Registration whole;

  /**
   * A region.
   *
   * @param arena the life of memory that the runtime gave and takes back; null if the user brought
   *     it
   */
  Registration(
      Engine engine,
      Regions regions,
      String name,
      MemorySegment segment,
      RemoteRegion remote,
      @Nullable Arena arena) {
    this.engine = engine;
    this.regions = regions;
    this.name = name;
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
  public Info info() {
    return Info.of(
        "region",
        name,
        "bytes",
        segment.byteSize(),
        "rights",
        remote.rights(),
        "memory",
        arena != null ? "the runtime's" : segment.isNative() ? "the program's" : "the heap's",
        "closed",
        closed.get(),
        "slices",
        slices.size());
  }

  @Override
  public Region slice(long offset, long length, Rights rights) {
    RemoteRegion part = remote.slice(offset, length).withRights(rights);
    requireOpen();
    Registration slice = regions.register(segment.asSlice(offset, part.length()), rights);
    slice.whole = this;
    slices.add(slice);
    if (closed.get()) {
      // Closed meanwhile, and perhaps before the slice was there to be seen.
      slice.close();
      requireOpen();
    }
    return slice;
  }

  private void requireOpen() {
    if (closed.get()) {
      throw new IllegalStateException("the region is closed");
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    Registration of = whole;
    if (of != null) {
      of.slices.remove(this);
    }
    slices.forEach(Registration::close);
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
