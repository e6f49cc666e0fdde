package org.lacis.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lacis.Idle;
import org.lacis.Info;
import org.lacis.Region;
import org.lacis.RemoteRegion;
import org.lacis.Rights;
import org.lacis.net.NetContext;

/** A region: a key at the network, and, if the runtime gave the memory, the memory. */
final class Registration implements Region {

  private static final System.Logger LOG = System.getLogger("org.lacis");

  /** Many times what a copy takes. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Engine engine;
  private final Regions regions;
  private final String name;
  private final MemorySegment segment;
  private final RemoteRegion remote;
  private final @Nullable Arena arena;
  private volatile boolean closed;

  /** Whether nobody is at its memory once it is closed, and at its slices. */
  private volatile boolean quiet = true;

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
        closed,
        "slices",
        slices.size());
  }

  @Override
  public Region slice(long offset, long length, Rights rights) {
    RemoteRegion part = remote.slice(offset, length).withRights(rights);
    requireOpen();
    Registration slice =
        regions.register(
            name + "[" + offset + ".." + (offset + part.length()) + "]",
            segment.asSlice(offset, part.length()),
            rights);
    slice.whole = this;
    slices.add(slice);
    if (closed) {
      // Closed meanwhile, and perhaps before the slice was there to be seen.
      slice.close();
      requireOpen();
    }
    return slice;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the region is closed");
    }
  }

  /**
   * Ends the registration, and waits until no peer is at the memory any more. If one does not come
   * to an end, because it was stopped or killed in the midst of an access, the memory is not quiet.
   */
  private void deregister() {
    NetContext context = engine.context();
    context.deregister(remote.key());
    if (!context.inUse(remote.key())) {
      return;
    }
    Idle idle = engine.newIdle();
    long start = System.nanoTime();
    do {
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        for (Registration r = this; r != null; r = r.whole) {
          r.quiet = false;
        }
        LOG.log(
            System.Logger.Level.WARNING,
            "a peer is still at a region of {0} bytes that was closed: it was stopped or killed in"
                + " the midst of an access; that memory must not be used for anything else",
            remote.length());
        return;
      }
      idle.after(0);
    } while (context.inUse(remote.key()));
  }

  /** Of two threads that close, the second one waits too: afterwards the memory may be freed. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    slices.forEach(Registration::close);
    if (engine.isOpen()) {
      deregister();
    }
    Registration of = whole;
    if (of != null) {
      of.slices.remove(this);
    }
    Arena life = arena;
    if (life != null) {
      // Nobody here can touch it any more when it is given out again.
      life.close();
      if (engine.isOpen() && quiet) {
        engine.context().free(segment.address(), segment.byteSize());
      }
    }
  }

  @Override
  public String toString() {
    return "Region[" + name + ", " + segment.byteSize() + " bytes" + (closed ? ", closed]" : "]");
  }
}
