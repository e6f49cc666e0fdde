package org.lacis.net.sim;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetException;
import org.lacis.net.Network;
import org.lacis.net.PeerEnd;

/** One rank of a {@link SimFabric}. */
final class SimContext implements NetContext {

  private static final long MAX_ALIGNMENT = 4096;

  private final SimFabric fabric;
  private final int rank;
  private final int ringCells;
  private final SplittableRandom keys;
  private final List<SimDevice> devices = new ArrayList<>();
  private final Map<Long, SimRegion> regions = new HashMap<>();
  private final Map<Long, SimPacket> leases = new HashMap<>();
  private final Map<Long, SimPacket> packetsOut = new HashMap<>();
  private final Deque<Long> packetsBack = new ArrayDeque<>();
  private long bytesLeft;
  private long lastLease;
  private boolean closed;

  SimContext(SimFabric fabric, int rank, Network.Setup setup) {
    this.fabric = fabric;
    this.rank = rank;
    this.ringCells = setup.ringCells();
    this.bytesLeft = setup.sharedBytes();
    // Keys are part of what messages carry: they too come from the seed.
    this.keys = new SplittableRandom(fabric.options().seed() * 31 + rank);
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return fabric.options().ranks();
  }

  @Override
  public int injectLimit() {
    return fabric.options().injectLimit();
  }

  @Override
  public long transferLimit() {
    return fabric.options().transferLimit();
  }

  @Override
  public String description() {
    return "simulated, " + fabric.options();
  }

  int ringCells() {
    return ringCells;
  }

  @Override
  public NetDevice openDevice() {
    return fabric.locked(
        () -> {
          if (closed) {
            throw new NetException("rank " + rank + " has closed its simulated network");
          }
          SimDevice device = new SimDevice(fabric, this, fabric.port(rank, devices.size()));
          devices.add(device);
          return device;
        });
  }

  @Override
  public long allocate(long bytes, long alignment) {
    if (bytes < 0 || Long.bitCount(alignment) != 1 || alignment < 1 || alignment > MAX_ALIGNMENT) {
      throw new IllegalArgumentException(
          "cannot allocate "
              + bytes
              + " bytes aligned to "
              + alignment
              + ": use a power of two up to "
              + MAX_ALIGNMENT);
    }
    return fabric.locked(
        () -> {
          if (closed || bytes > bytesLeft) {
            return 0L;
          }
          bytesLeft -= bytes;
          return fabric.memory.allocate(rank, bytes, alignment);
        });
  }

  @Override
  public void free(long address, long bytes) {
    fabric.locked(
        () -> {
          if (!closed) {
            fabric.memory.free(rank, address, bytes);
            bytesLeft += bytes;
          }
          return null;
        });
  }

  @Override
  public long register(MemorySegment segment, long offset, long length, int rights) {
    if (rights < READ || rights > (READ | WRITE)) {
      throw new IllegalArgumentException(
          "rights are " + rights + " but must be READ (1), WRITE (2) or both (3)");
    }
    SimRegion region = new SimRegion(segment, offset, length, rights, (rights & WRITE) != 0);
    return fabric.locked(
        () -> {
          if (closed || regions.size() >= fabric.options().registrationLimit()) {
            return 0L;
          }
          long key = keys.nextLong();
          while (key == 0 || regions.containsKey(key)) {
            key = keys.nextLong();
          }
          regions.put(key, region);
          return key;
        });
  }

  @Override
  public boolean deregister(long key) {
    return fabric.locked(() -> regions.remove(key) != null);
  }

  /** Every access is one step of the fabric. */
  @Override
  public boolean inUse(long key) {
    return false;
  }

  @Nullable SimRegion region(long key) {
    return regions.get(key);
  }

  /** Starts the lease on a packet that is about to be delivered. */
  long lease(SimPacket packet) {
    leases.put(++lastLease, packet);
    return lastLease;
  }

  /** The packet was not taken after all. */
  void unlease(long lease) {
    leases.remove(lease);
  }

  @Override
  public void release(long lease) {
    fabric.locked(
        () -> {
          SimPacket packet = leases.remove(lease);
          if (packet != null) {
            fabric.wire.answer(rank, packet.ownerRank(), packet::giveBack);
          } else if (!closed && !fabric.deaths.isGone(rank)) {
            throw new IllegalStateException(
                "rank " + rank + " releases lease " + lease + ", which it does not hold");
          }
          return null;
        });
  }

  /**
   * Makes a packet the network's. Checks that it is where packets must be, and that the network
   * does not have it already.
   */
  SimPacket packet(long address, int length) {
    SimMemory.Block block =
        fabric.memory.find(rank, address - PACKET_HEADER, (long) PACKET_HEADER + length);
    if (block == null || length < 0) {
      throw new IllegalArgumentException(
          "a packet of "
              + length
              + " bytes at 0x"
              + Long.toHexString(address)
              + " is not within memory from allocate");
    }
    if (packetsOut.containsKey(address)) {
      throw new IllegalStateException(
          "the packet at 0x"
              + Long.toHexString(address)
              + " is sent again before it was reclaimed");
    }
    SimPacket packet = new SimPacket(this, block, address, length);
    packetsOut.put(address, packet);
    return packet;
  }

  /** A packet can be reclaimed. */
  void packetBack(SimPacket packet, SimMemory.Block block) {
    packetsOut.remove(packet.address());
    fabric.memory.packetBack(block);
    if (!closed) {
      packetsBack.add(packet.address());
    }
  }

  @Override
  public int reclaim(PacketTaker taker) {
    List<Long> taken =
        fabric.locked(
            () -> {
              List<Long> all = List.copyOf(packetsBack);
              packetsBack.clear();
              return all;
            });
    for (long address : taken) {
      taker.take(address);
    }
    return taken.size();
  }

  @Override
  public boolean contains(long address) {
    return fabric.locked(() -> fabric.memory.find(address, 1) != null);
  }

  @Override
  public MemorySegment view(long address, long length) {
    return fabric.locked(() -> fabric.memory.view(address, length));
  }

  /** Whoever is taken for dead is so from then on. */
  @Override
  public void giveUp(int peer) {
    fabric.kill(peer);
  }

  @Override
  public void close() {
    fabric.locked(
        () -> {
          if (!closed) {
            devices.forEach(SimDevice::close);
            closed = true;
            regions.clear();
            packetsBack.clear();
            returnLeases();
            fabric.memory.abandon(rank);
            fabric.deaths.depart(rank, PeerEnd.CLOSED);
          }
          return null;
        });
  }

  /** A rank that is gone reads no packets any more. */
  void returnLeases() {
    leases.values().forEach(SimPacket::giveBack);
    leases.clear();
  }
}
