package org.lacis.net.mixed;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.net.GivenKeys;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetMapping;

/**
 * A rank in both networks. Memory is that of the network within the host; what is registered is so
 * in both, under the key that one gives it.
 */
final class MixedContext implements NetContext {

  /** In the leases of the other network; networks themselves use the bits below it. */
  static final long FAR = 1L << 62;

  private final Hosts hosts;
  private final int rank;
  private final NetContext near;
  private final NetContext far;
  private final GivenKeys farKeys;
  private final FarPackets packets;

  MixedContext(Hosts hosts, int rank, NetContext near, NetContext far, GivenKeys farKeys) {
    this.hosts = hosts;
    this.rank = rank;
    this.near = near;
    this.far = far;
    this.farKeys = farKeys;
    this.packets = new FarPackets(far);
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return hosts.total();
  }

  @Override
  public int neighbours() {
    return hosts.count();
  }

  @Override
  public int cores() {
    return near.cores();
  }

  @Override
  public int injectLimit() {
    return Math.min(near.injectLimit(), far.injectLimit());
  }

  @Override
  public long transferLimit() {
    return Math.min(near.transferLimit(), far.transferLimit());
  }

  @Override
  public String description() {
    return "%d of %d ranks on this host, by %s; others by %s"
        .formatted(hosts.count(), hosts.total(), near.description(), far.description());
  }

  @Override
  public NetDevice openDevice() {
    NetDevice within = near.openDevice();
    try {
      return new MixedDevice(hosts, within, far.openDevice(), packets);
    } catch (RuntimeException e) {
      within.close();
      throw e;
    }
  }

  @Override
  public long allocate(long bytes, long alignment) {
    return near.allocate(bytes, alignment);
  }

  @Override
  public void free(long address, long bytes) {
    near.free(address, bytes);
  }

  @Override
  public long register(MemorySegment segment, long offset, long length, int rights) {
    long key = near.register(segment, offset, length, rights);
    if (key != 0 && !farKeys.register(key, segment, offset, length, rights)) {
      near.deregister(key);
      return 0;
    }
    return key;
  }

  @Override
  public boolean deregister(long key) {
    // The other one first: once the near one has let go of the key, it may give it to others.
    far.deregister(key);
    return near.deregister(key);
  }

  @Override
  public boolean inUse(long key) {
    return near.inUse(key) || far.inUse(key);
  }

  @Override
  public @Nullable NetMapping map(int peer, long key, long offset, long length, int rights) {
    int neighbour = hosts.near(peer);
    return neighbour == Hosts.ELSEWHERE ? null : near.map(neighbour, key, offset, length, rights);
  }

  @Override
  public void release(long lease) {
    if ((lease & FAR) != 0) {
      far.release(lease & ~FAR);
    } else {
      near.release(lease);
    }
  }

  @Override
  public int reclaim(PacketTaker taker) {
    return near.reclaim(taker) + packets.reclaim(taker);
  }

  @Override
  public int reclaimEvery() {
    return near.reclaimEvery();
  }

  @Override
  public boolean contains(long address) {
    return near.contains(address) || far.contains(address);
  }

  @Override
  public MemorySegment view(long address, long length) {
    return near.contains(address) ? near.view(address, length) : far.view(address, length);
  }

  @Override
  public void giveUp(int peer) {
    int neighbour = hosts.near(peer);
    if (neighbour == Hosts.ELSEWHERE) {
      far.giveUp(peer);
    } else {
      near.giveUp(neighbour);
    }
  }

  @Override
  public void close() {
    try {
      near.close();
    } finally {
      far.close();
    }
  }
}
