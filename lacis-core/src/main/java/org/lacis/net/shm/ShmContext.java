package org.lacis.net.shm;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Gather;
import org.lacis.net.Machine;
import org.lacis.net.MemoryHeap;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetException;
import org.lacis.net.NetMapping;
import org.lacis.net.Network;
import org.lacis.net.Pulse;

/** The files of all ranks, mapped, and what is made of them. Opened by {@link ShmOpening}. */
final class ShmContext implements NetContext {

  private final Network.Setup setup;
  private final RingShape shape;
  private final ShmPeer[] peers;
  private final int rank;
  private final BulkMode mode;
  private final String description;
  private final MemoryHeap heap;
  private final Registrations registrations;
  private final PacketReturns returns;
  private final PeerWatch watch;
  private final Pulse pulse;

  /** Held by who opens a device, and waits for the others. */
  private final Object opening = new Object();

  private final List<ShmDevice> devices = new ArrayList<>();
  private final List<ShmDevice> retired = new ArrayList<>();
  private int opened;
  private volatile boolean closed;

  ShmContext(
      Network.Setup setup,
      ShmPeer[] peers,
      Registrations registrations,
      BulkMode mode,
      String description) {
    this.setup = setup;
    this.peers = peers;
    this.shape = RingShape.of(setup.ringCells(), setup.injectBytes());
    this.rank = setup.exchange().rank();
    this.mode = mode;
    this.description = description;
    this.registrations = registrations;
    long heapOffset = ShmLayout.heapOffset(peers.length);
    this.heap = new MemoryHeap(peers[rank].address + heapOffset, peers[rank].length - heapOffset);
    this.returns = new PacketReturns(rank, peers);
    this.watch = new PeerWatch(rank, peers, setup.detection().toNanos());
    this.pulse = Pulse.start(setup.detection(), peers[rank]::beatRelease);
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return peers.length;
  }

  @Override
  public int cores() {
    return Machine.cores(Arrays.stream(peers).mapToInt(peer -> peer.pid).toArray());
  }

  @Override
  public int injectLimit() {
    return shape.injectLimit();
  }

  @Override
  public long transferLimit() {
    return Long.MAX_VALUE;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public NetDevice openDevice() {
    synchronized (opening) {
      return openNext();
    }
  }

  private NetDevice openNext() {
    dispose();
    Gather gather = new Gather(setup.exchange(), "shm-device-" + opened++);
    DeviceMemory memory;
    try {
      memory = new DeviceMemory(heap, peers.length, shape);
    } catch (NetException e) {
      gather.fail(e);
      throw e;
    }
    try {
      long offset = memory.rings() - peers[rank].address;
      String same = shape.cells() + "-" + shape.cellShift() + "-";
      long[] offsets = ringOffsets(gather.all(same + offset), same);
      return add(new ShmDevice(this, mode, memory, offsets));
    } catch (RuntimeException e) {
      memory.free();
      throw e;
    }
  }

  private long[] ringOffsets(String[] values, String same) {
    long[] offsets = new long[values.length];
    for (int peer = 0; peer < values.length; peer++) {
      if (!values[peer].startsWith(same)) {
        throw new NetException(
            "rank "
                + peers[peer].jobRank
                + " has rings of another size than this one: give all ranks the same options");
      }
      offsets[peer] = Long.parseLong(values[peer].substring(same.length()));
    }
    return offsets;
  }

  @Override
  public long allocate(long bytes, long alignment) {
    return closed ? 0 : heap.allocate(bytes, alignment);
  }

  @Override
  public void free(long address, long bytes) {
    heap.free(address, bytes);
  }

  @Override
  public long register(MemorySegment segment, long offset, long length, int rights) {
    return registrations.register(segment, offset, length, rights);
  }

  @Override
  public boolean deregister(long key) {
    return registrations.deregister(key);
  }

  @Override
  public boolean inUse(long key) {
    return registrations.inUse(key);
  }

  @Override
  public @Nullable NetMapping map(int peer, long key, long offset, long length, int rights) {
    return mode.mapped ? ShmMapping.of(peers[peer], key, offset, length, rights) : null;
  }

  @Override
  public void release(long lease) {
    returns.release(lease);
  }

  @Override
  public int reclaim(PacketTaker taker) {
    return returns.reclaim(taker);
  }

  @Override
  public int reclaimEvery() {
    return 256;
  }

  @Override
  public boolean contains(long address) {
    for (ShmPeer peer : peers) {
      if (address - peer.address >= 0 && address - peer.address < peer.length) {
        return true;
      }
    }
    return false;
  }

  @Override
  public MemorySegment view(long address, long length) {
    for (ShmPeer peer : peers) {
      long offset = address - peer.address;
      if (offset >= 0 && offset < peer.length) {
        return peer.view(offset, length);
      }
    }
    throw new IllegalArgumentException(
        "%#x is not in the shared memory of any rank".formatted(address));
  }

  private synchronized void dispose() {
    requireOpen();
    retired.removeIf(device -> device.dispose(watch));
  }

  private synchronized ShmDevice add(ShmDevice device) {
    requireOpen();
    devices.add(device);
    return device;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the network is closed");
    }
  }

  @Override
  public void giveUp(int peer) {
    watch.giveUp(peer);
  }

  @Override
  public void close() {
    List<ShmDevice> open;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      open = List.copyOf(devices);
    }
    open.forEach(ShmDevice::close);
    peers[rank].closeRelease();
    pulse.close();
  }

  /** Keeps the memory of a device that was closed until peers have closed theirs. */
  synchronized void retire(ShmDevice device) {
    devices.remove(device);
    retired.add(device);
    retired.removeIf(one -> one.dispose(watch));
  }

  ShmPeer[] peers() {
    return peers;
  }

  Registrations registrations() {
    return registrations;
  }

  PacketReturns returns() {
    return returns;
  }

  PeerWatch watch() {
    return watch;
  }
}
