package org.lacis.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.LacisException;
import org.lacis.PeerMemory;
import org.lacis.Region;
import org.lacis.RemoteRegion;
import org.lacis.Rights;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetMapping;

/** Memory that peers may reach: the user's, registered, and the runtime's own, given out. */
final class Regions {

  /** What every network can do. */
  private static final int MAX_ALIGNMENT = 4096;

  /** The places in the networks' tables. */
  private static final int MAX_REGIONS = 65_536;

  private final Engine engine;

  Regions(Engine engine) {
    this.engine = engine;
  }

  Registration register(String name, MemorySegment segment, Rights rights) {
    Buffers.checkAlive(segment);
    Objects.requireNonNull(rights, "rights");
    if (rights.allowsPut() && segment.isReadOnly()) {
      throw new IllegalArgumentException("segment is read-only, but the rights are " + rights);
    }
    return register(name, segment, Buffers.shareable(segment), rights, null);
  }

  private Registration register(
      String name,
      MemorySegment segment,
      MemorySegment shareable,
      Rights rights,
      @Nullable Arena arena) {
    engine.requireUsable();
    long offset = Buffers.offset(shareable, segment, 0);
    long key = engine.context().register(shareable, offset, segment.byteSize(), bits(rights));
    if (key == 0) {
      throw new LacisException(
          "too many regions are registered at once: a rank can have "
              + MAX_REGIONS
              + ", with those of long messages that are under way; close some");
    }
    return new Registration(
        engine,
        this,
        name,
        segment,
        new RemoteRegion(engine.rank(), engine.jobNumber(), key, 0, segment.byteSize(), rights),
        arena);
  }

  Region allocate(String name, long bytes, int alignment) {
    engine.requireUsable();
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes must be at least 1, but is " + bytes);
    }
    if (alignment < 1 || alignment > MAX_ALIGNMENT || Integer.bitCount(alignment) != 1) {
      throw new IllegalArgumentException(
          "alignment must be a power of two from 1 to " + MAX_ALIGNMENT + ", but is " + alignment);
    }
    long address = engine.longBuffers.allocate(bytes, Math.max(alignment, Memory.CACHE_LINE));
    if (address == 0) {
      throw new LacisException(
          bytes
              + " bytes do not fit into the shared memory: raise LacisOptions.sharedBytes, now "
              + engine.options().sharedBytes());
    }
    Arena arena = Arena.ofShared();
    MemorySegment segment = Memory.bound(engine.context().view(address, bytes), arena);
    try {
      return register(name, segment, segment, Rights.READ_WRITE, arena);
    } catch (LacisException e) {
      arena.close();
      engine.context().free(address, bytes);
      throw e;
    }
  }

  @Nullable PeerMemory map(RemoteRegion region) {
    engine.requireUsable();
    check(region);
    if (region.rank() >= engine.size()) {
      throw new IllegalArgumentException(
          "region belongs to rank " + region.rank() + ", but this job has " + engine.size());
    }
    NetMapping mapping =
        engine
            .context()
            .map(
                region.rank(),
                region.key(),
                region.offset(),
                region.length(),
                bits(region.rights()));
    return mapping == null ? null : new MappedMemory(mapping, region.rights().allowsPut());
  }

  /**
   * Refuses regions of another runtime.
   *
   * @throws IllegalArgumentException if it is one
   */
  void check(RemoteRegion remote) {
    Objects.requireNonNull(remote, "remote");
    if (remote.job() != engine.jobNumber()) {
      throw new IllegalArgumentException(
          "remote region belongs to another job or runtime: its number is "
              + Long.toHexString(remote.job())
              + ", but this one's is "
              + Long.toHexString(engine.jobNumber()));
    }
  }

  private static int bits(Rights rights) {
    return (rights.allowsGet() ? NetContext.READ : 0) | (rights.allowsPut() ? NetContext.WRITE : 0);
  }
}
