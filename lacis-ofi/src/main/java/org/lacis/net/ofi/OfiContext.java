package org.lacis.net.ofi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.lacis.net.Gather;
import org.lacis.net.GivenKeys;
import org.lacis.net.KeySource;
import org.lacis.net.KeyTable;
import org.lacis.net.Machine;
import org.lacis.net.MemoryHeap;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetException;
import org.lacis.net.Network;
import org.lacis.net.PacketStack;
import org.lacis.net.ProcessName;
import org.lacis.net.Pulse;
import org.lacis.net.SystemRandom;

/** Libfabric, opened by one rank. Its devices are domains of their own. */
final class OfiContext implements NetContext, GivenKeys {

  /** Messages inside a frame have room for so many bytes, whatever the provider copies. */
  private static final int MIN_INJECT = 64;

  private static final int MAX_INJECT = 1024;

  private static final int PAGE = 4096;

  /** Completions that may be unread: what is under way is limited elsewhere. */
  private static final int COMPLETIONS = 4096;

  private final Network.Setup setup;
  private final Provider provider;
  private final int receiveBytes;
  private final long directFrom;
  private final long token;

  /** By rank. */
  private final List<ProcessName> processes;

  private final MemorySegment memory;
  private final MemoryHeap heap;
  private final SlabList slabs = new SlabList();
  private final PacketStack returns = new PacketStack();
  private final KeyTable keys;

  /** Held by who opens a device, and waits for the others. */
  private final Object opening = new Object();

  private final List<OfiDevice> devices = new CopyOnWriteArrayList<>();
  private final List<OfiDevice> retired = new ArrayList<>();
  private final Pulse pulse;

  /** By rank: not 0 if somebody else has found out that it is dead. */
  private final AtomicIntegerArray givenUp;

  private int opened;
  private volatile boolean closed;

  /**
   * Opens it.
   *
   * @param receiveBytes the longest message that is received in one piece, without the header
   * @param directFrom from how many bytes on peers read and write memory themselves
   */
  OfiContext(Network.Setup setup, Provider provider, int receiveBytes, long directFrom) {
    this.setup = setup;
    this.provider = provider;
    this.receiveBytes =
        (int) Math.min(receiveBytes, provider.maxMessage() - Frame.HEADER) & -Long.BYTES;
    this.directFrom = directFrom;
    this.token = token(setup.exchange());
    this.processes = processes(setup.exchange());
    long bytes = (setup.sharedBytes() + PAGE - 1) & -PAGE;
    this.memory = Libc.allocate(bytes, PAGE);
    this.heap = new MemoryHeap(memory.address(), bytes);
    slabs.keep(memory);
    long[] random = SystemRandom.longs(2);
    this.keys = new KeyTable(new KeySource(random[0], random[1]));
    this.givenUp = new AtomicIntegerArray(setup.exchange().size());
    // Twice as often as others: the first time it is left to who polls.
    this.pulse =
        Pulse.start(setup.detection().dividedBy(2), () -> devices.forEach(OfiDevice::beat));
  }

  /** Of the secret, which nobody else knows; the id is in names of files that everybody sees. */
  private static long token(Network.Exchange exchange) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(exchange.secret());
      digest.update(("lacis ofi " + exchange.jobId()).getBytes(UTF_8));
      return ByteBuffer.wrap(digest.digest()).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new NetException("the JDK has no SHA-256", e);
    }
  }

  private static List<ProcessName> processes(Network.Exchange exchange) {
    String[] names = new Gather(exchange, "ofi-processes").all(ProcessName.self().toString());
    return Stream.of(names).map(ProcessName::parse).toList();
  }

  @Override
  public int rank() {
    return setup.exchange().rank();
  }

  @Override
  public int size() {
    return setup.exchange().size();
  }

  @Override
  public int neighbours() {
    return ProcessName.here(processes).length;
  }

  @Override
  public int cores() {
    return Machine.cores(ProcessName.here(processes));
  }

  @Override
  public int injectLimit() {
    long fits = Math.clamp(provider.injectSize() - Frame.HEADER, MIN_INJECT, MAX_INJECT);
    return (int) Math.min(receiveBytes, Math.max(setup.injectBytes(), fits));
  }

  @Override
  public long transferLimit() {
    return Long.MAX_VALUE;
  }

  @Override
  public String description() {
    return "libfabric "
        + Libfabric.version()
        + ", "
        + provider.describe()
        + "; bulk data: "
        + (provider.reads() ? "read" : "sent")
        + " and "
        + (provider.writes() ? "written" : "sent")
        + " by the owner of the memory";
  }

  @Override
  public NetDevice openDevice() {
    synchronized (opening) {
      return openNext();
    }
  }

  private NetDevice openNext() {
    dispose();
    String step = "ofi-device-" + opened++;
    Gather gather = new Gather(setup.exchange(), step);
    ProcessGroup group = ProcessGroup.join(step + "-" + setup.exchange().jobId());
    Endpoint endpoint;
    Slots receives;
    String name;
    try {
      endpoint = Libc.keepSignals(() -> new Endpoint(provider, size(), COMPLETIONS));
      name =
          String.join(
              " ",
              provider.name(),
              Integer.toString(receiveBytes),
              Integer.toString(setup.ringCells()),
              endpoint.name());
    } catch (NetException e) {
      group.leave();
      gather.fail(e);
      throw e;
    }
    try {
      receives = new Slots(slabs, endpoint, Slot.RECEIVE, receiveBytes, Libfabric.RECV);
      Peer[] peers = peers(endpoint, gather.all(name));
      OfiDevice device = new OfiDevice(this, endpoint, group, receives, new Roster(rank(), peers));
      device.connect(setup.timeout(), setup.exchange()::requireAll);
      add(device);
      return device;
    } catch (RuntimeException e) {
      group.leave(endpoint, slabs);
      throw e;
    }
  }

  private Peer[] peers(Endpoint endpoint, String[] names) {
    Peer[] peers = new Peer[names.length];
    for (int rank = 0; rank < names.length; rank++) {
      String[] parts = names[rank].split(" ", 4);
      if (!parts[0].equals(provider.name())) {
        throw new NetException(
            "rank "
                + rank
                + " uses libfabric's provider "
                + parts[0]
                + " and this one uses "
                + provider.name()
                + ": choose one for all with lacis.ofi.provider");
      }
      peers[rank] =
          new Peer(
              rank,
              endpoint.insert(parts[3]),
              Integer.parseInt(parts[1]),
              setup.ringCells(),
              Integer.parseInt(parts[2]),
              setup.detection().toNanos(),
              PeerProcess.of(processes.get(rank)));
    }
    return peers;
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
    return keys.register(segment, offset, length, rights);
  }

  @Override
  public boolean register(long key, MemorySegment segment, long offset, long length, int rights) {
    return keys.register(key, segment, offset, length, rights);
  }

  @Override
  public boolean deregister(long key) {
    return keys.deregister(key);
  }

  @Override
  public boolean inUse(long key) {
    if (!keys.inUse(key)) {
      return false;
    }
    // Whoever waits for the end of an access may be the one who would poll.
    devices.forEach(OfiDevice::noteAccesses);
    return keys.inUse(key);
  }

  @Override
  public void release(long lease) {
    Slot.giveBack(lease);
  }

  @Override
  public int reclaim(PacketTaker taker) {
    return returns.reclaim(taker);
  }

  @Override
  public boolean contains(long address) {
    return slabs.contains(address);
  }

  @Override
  public MemorySegment view(long address, long length) {
    return slabs.view(address, length);
  }

  @Override
  public void giveUp(int peer) {
    givenUp.set(peer, 1);
  }

  AtomicIntegerArray givenUp() {
    return givenUp;
  }

  /** How long a peer may be silent. */
  Duration detection() {
    return setup.detection();
  }

  @Override
  public void close() {
    List<OfiDevice> open;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      open = new ArrayList<>(devices);
      open.addAll(retired);
    }
    pulse.close();
    open.forEach(OfiDevice::sayGoodbye);
  }

  private synchronized void dispose() {
    requireOpen();
    retired.removeIf(OfiDevice::dispose);
  }

  private synchronized void add(OfiDevice device) {
    requireOpen();
    devices.add(device);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the network is closed");
    }
  }

  /** Keeps a device that was closed until peers have closed theirs: they may send to it. */
  synchronized void retire(OfiDevice device) {
    if (!closed) {
      devices.remove(device);
      retired.add(device);
      retired.removeIf(OfiDevice::dispose);
    }
  }

  /** Whether a packet with its header lies in memory from {@link #allocate}. */
  boolean isAllocated(long address, long length) {
    long offset = address - memory.address();
    return length >= 0 && offset >= 0 && offset <= memory.byteSize() - PACKET_HEADER - length;
  }

  HeapDescriptors heapDescriptors(Endpoint endpoint, int packet) {
    return new HeapDescriptors(endpoint, memory.address(), memory.byteSize(), packet);
  }

  long token() {
    return token;
  }

  long directFrom() {
    return directFrom;
  }

  SlabList slabs() {
    return slabs;
  }

  PacketStack returns() {
    return returns;
  }

  KeyTable keys() {
    return keys;
  }
}
