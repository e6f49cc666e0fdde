package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.Info;
import org.lacis.LacisException;
import org.lacis.Packet;
import org.lacis.PacketPool;
import org.lacis.PoolOptions;
import org.lacis.net.NetContext;

/**
 * The packet pool: a block of the network's memory cut into packets, whose addresses lie in a
 * {@link LongPool}.
 */
final class Pool implements PacketPool {

  private final Engine engine;
  private final String name;
  private final PoolOptions options;
  private final LongPool free;
  private final int stride;
  private final long base;
  private final long bytes;
  private final @Nullable PooledPacket[] handles;
  private volatile boolean closed;

  Pool(Engine engine, String name, PoolOptions options) {
    this.engine = engine;
    this.name = name;
    this.options = options;
    this.stride = NetContext.PACKET_HEADER + options.packetBytes();
    this.bytes = (long) stride * options.packets();
    this.base = engine.longBuffers.allocate(bytes, 64);
    if (base == 0) {
      throw new LacisException(
          "a packet pool of "
              + options.packets()
              + " × "
              + options.packetBytes()
              + " bytes does not fit into the shared memory: raise LacisOptions.sharedBytes, now "
              + engine.options().sharedBytes());
    }
    this.free =
        new LongPool(options.packets(), engine.context().reclaimEvery(), engine.pools::reclaim);
    this.handles = new PooledPacket[options.packets()];
    // The last ones first: what is taken first is what was given last, the beginning of the block.
    for (int i = options.packets() - 1; i >= 0; i--) {
      free.give(base + (long) i * stride + NetContext.PACKET_HEADER);
    }
  }

  @Override
  public PoolOptions options() {
    return options;
  }

  /** Bytes of payload. */
  int packetBytes() {
    return options.packetBytes();
  }

  /** The address of a free packet's payload, or 0 if there is none now. */
  long take() {
    long packet = free.take();
    return packet != 0 ? packet : takeReturned();
  }

  private long takeReturned() {
    return engine.pools.reclaim() > 0 ? free.take() : 0;
  }

  /** Takes a packet back. */
  void give(long packet) {
    free.give(packet);
    if (closed) {
      engine.pools.freeIfWhole(this);
    }
  }

  boolean owns(long packet) {
    return packet - base >= 0 && packet - base < bytes;
  }

  @Override
  public @Nullable Packet get() {
    requireOpen();
    long packet = take();
    if (packet == 0) {
      return null;
    }
    int index = (int) ((packet - base) / stride);
    PooledPacket handle = handles[index];
    if (handle == null) {
      handle = new PooledPacket(this, packet, engine.context().view(packet, packetBytes()));
      handles[index] = handle;
    }
    handle.hold();
    return handle;
  }

  @Override
  public int available() {
    engine.pools.reclaim();
    return free.size();
  }

  @Override
  public Info info() {
    return Info.of(
        "packet pool",
        name,
        "packets",
        options.packets(),
        "packet bytes",
        options.packetBytes(),
        "closed",
        closed,
        "available",
        available());
  }

  void requireOpen() {
    engine.requireUsable();
    if (closed) {
      throw new IllegalStateException("the packet pool is closed");
    }
  }

  @Override
  public void close() {
    if (engine.packetPool() == this) {
      throw new IllegalStateException("the default packet pool is closed with its runtime");
    }
    if (!closed) {
      closed = true;
      engine.pools.closed(this);
    }
  }

  /** Gives the memory back; all packets are here. */
  void free() {
    engine.context().free(base, bytes);
  }

  boolean isClosed() {
    return closed;
  }

  /** Whether nothing is sent or held. */
  boolean isWhole() {
    return free.size() == options.packets();
  }

  @Override
  public String toString() {
    return "PacketPool[" + name + "]";
  }

  /** The handle of a packet that a user holds. Made once per packet. */
  static final class PooledPacket implements Packet {
    private final Pool pool;
    private final long address;
    private final MemorySegment segment;
    private boolean held;

    PooledPacket(Pool pool, long address, MemorySegment segment) {
      this.pool = pool;
      this.address = address;
      this.segment = segment;
    }

    private synchronized void hold() {
      held = true;
    }

    /** Ends the user's hold. */
    synchronized void letGo() {
      if (!held) {
        throw new IllegalStateException("the packet was sent or closed before");
      }
      held = false;
    }

    /** The user holds it again, because it could not be sent. */
    synchronized void holdAgain() {
      held = true;
    }

    Pool pool() {
      return pool;
    }

    long address() {
      return address;
    }

    @Override
    public synchronized MemorySegment segment() {
      if (!held) {
        throw new IllegalStateException("the packet was sent or closed");
      }
      return segment;
    }

    @Override
    public void close() {
      letGo();
      pool.give(address);
    }
  }
}
