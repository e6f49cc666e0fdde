package org.lacis.net.tcp;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Gather;
import org.lacis.net.GivenKeys;
import org.lacis.net.KeySource;
import org.lacis.net.KeyTable;
import org.lacis.net.Machine;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetException;
import org.lacis.net.Network;
import org.lacis.net.PacketStack;
import org.lacis.net.PeerEnd;
import org.lacis.net.ProcessName;
import org.lacis.net.SystemRandom;

/** A rank's memory, registrations, door and devices. Opened by {@link TcpOpening}. */
final class TcpContext implements NetContext, GivenKeys {

  private final Network.Setup setup;
  private final int rank;
  private final int size;
  private final int window;
  private final int injectLimit;
  private final TcpOptions options;
  private final @Nullable Meeting meeting;

  /** The processes of ranks on this machine. */
  private final int[] neighbours;

  private final String description;
  private final TcpMemory memory;
  private final KeyTable keys;
  private final PacketStack packets = new PacketStack();
  private final Keeper keeper;
  private final long detectionNanos;

  /** By rank: how it has gone; null if it has not. */
  private final AtomicReferenceArray<@Nullable PeerEnd> gone;

  /** By rank: not 0 if somebody else has found out that it is dead. */
  private final AtomicIntegerArray givenUp;

  /** Held by who opens a device, and waits for the others; never together with that of this. */
  private final Object opening = new Object();

  private final List<TcpDevice> devices = new ArrayList<>();
  private final List<Leases> idleLeases = new ArrayList<>();
  private volatile Leases[] leases = new Leases[0];
  private int opened;
  private int steps;
  private volatile boolean closed;

  /**
   * Makes one.
   *
   * @param meeting how peers are met; null if there are none
   * @param processes those of all ranks
   */
  TcpContext(
      Network.Setup setup,
      TcpOptions options,
      @Nullable Meeting meeting,
      List<ProcessName> processes,
      String description) {
    this.setup = setup;
    this.rank = setup.exchange().rank();
    this.size = setup.exchange().size();
    this.window = setup.ringCells();
    this.injectLimit = Math.clamp(setup.injectBytes(), Frames.INJECT_DEFAULT, Frames.INJECT_LIMIT);
    this.options = options;
    this.meeting = meeting;
    this.neighbours = ProcessName.here(processes);
    this.description = description;
    this.memory = new TcpMemory(setup.sharedBytes());
    long[] random = SystemRandom.longs(2);
    this.keys = new KeyTable(new KeySource(random[0], random[1]));
    this.gone = new AtomicReferenceArray<>(size);
    this.givenUp = new AtomicIntegerArray(size);
    this.detectionNanos = setup.detection().toNanos();
    this.keeper = new Keeper(rank, detectionNanos);
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int neighbours() {
    return neighbours.length;
  }

  @Override
  public int cores() {
    return Machine.cores(neighbours);
  }

  @Override
  public int injectLimit() {
    return injectLimit;
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
      requireOpen();
      @Nullable Wire[] wires = new Wire[size];
      if (meeting != null) {
        // Until all have come: on a connection that its peer does not know of nobody is heard.
        int step = steps++;
        new Gather(setup.exchange(), "tcp-device-" + step).all("here");
        // If one dies before this, it is so for all; who dies afterwards has failed as any peer.
        wires = connect(meeting, new Gather(setup.exchange(), "tcp-met-" + step));
      }
      return open(opened++, wires);
    }
  }

  private synchronized TcpDevice open(int number, @Nullable Wire[] wires) {
    Link[] links = new Link[size];
    PollMark polling = new PollMark();
    for (int peer = 0; peer < size; peer++) {
      Wire wire = wires[peer];
      if (wire != null) {
        Connection connection = new Connection(this, polling, number, peer, wire);
        links[peer] = connection;
        keeper.add(connection);
      }
    }
    links[rank] = new SelfLink(this);
    TcpDevice device = new TcpDevice(this, polling, links);
    if (closed) {
      // Peers have it already: it says goodbye, so that nobody takes this rank for dead.
      device.close();
      requireOpen();
    }
    devices.add(device);
    return device;
  }

  private @Nullable Wire[] connect(Meeting meeting, Gather all) {
    @Nullable Wire[] wires;
    try {
      wires = meeting.connect(opened, this::requireAll);
    } catch (NetException e) {
      tell(all, e);
      throw e;
    }
    try {
      all.all("met");
      return wires;
    } catch (RuntimeException e) {
      Meeting.shut(wires);
      throw e;
    }
  }

  /** Tells the others why this rank has not met all, unless they hear of it by other means. */
  private static void tell(Gather all, NetException why) {
    if (why.lostRank() < 0) {
      try {
        all.fail(why);
      } catch (RuntimeException e) {
        why.addSuppressed(e);
      }
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the network is closed");
    }
  }

  /** Throws if it is known that a rank does not come, to whom nobody can connect. */
  private void requireAll() {
    requireOpen();
    setup.exchange().requireAll();
    for (int peer = 0; peer < size; peer++) {
      if (isGivenUp(peer) || gone.get(peer) != null) {
        int lost = setup.exchange().jobRank(peer);
        throw new NetException(
            lost, "rank " + lost + " is gone; no device can be made without it, by whatever rank");
      }
    }
  }

  @Override
  public long allocate(long bytes, long alignment) {
    return closed ? 0 : memory.allocate(bytes, alignment);
  }

  @Override
  public void free(long address, long bytes) {
    memory.free(address, bytes);
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
    return keys.inUse(key);
  }

  @Override
  public void release(long lease) {
    int number = Leases.number(lease);
    if (number == Leases.OWN) {
      packets.give(lease);
    } else {
      leases[number].release(lease);
    }
  }

  @Override
  public int reclaim(PacketTaker taker) {
    return packets.reclaim(taker);
  }

  @Override
  public boolean contains(long address) {
    return memory.knows(address);
  }

  @Override
  public MemorySegment view(long address, long length) {
    return memory.view(address, length);
  }

  @Override
  public void close() {
    List<TcpDevice> open;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      open = List.copyOf(devices);
    }
    if (meeting != null) {
      meeting.close();
    }
    open.forEach(TcpDevice::close);
    keeper.close();
  }

  synchronized void forget(TcpDevice device) {
    devices.remove(device);
  }

  /** Leases for a connection. */
  synchronized Leases newLeases() {
    for (Leases idle : idleLeases) {
      if (idle.renew()) {
        idleLeases.remove(idle);
        return idle;
      }
    }
    Leases[] more = Arrays.copyOf(leases, leases.length + 1);
    Leases made = new Leases(memory, more.length - 1);
    more[more.length - 1] = made;
    leases = more;
    return made;
  }

  /** Takes the leases of a connection that has ended back; some may still be out. */
  synchronized void giveBack(Leases old) {
    idleLeases.add(old);
  }

  /** Whether a range is memory that was allocated here. */
  boolean owns(long address, long bytes) {
    return memory.contains(address, bytes);
  }

  /** How many messages may be under way from one rank to another. */
  int window() {
    return window;
  }

  TcpOptions options() {
    return options;
  }

  TcpMemory memory() {
    return memory;
  }

  boolean isClosed() {
    return closed;
  }

  /** A peer has closed, or is dead. What was found first counts. */
  void gone(int peer, PeerEnd how) {
    gone.compareAndSet(peer, null, how);
  }

  /** How a peer has gone; null if it has not. */
  @Nullable PeerEnd howGone(int peer) {
    return gone.get(peer);
  }

  @Override
  public void giveUp(int peer) {
    givenUp.set(peer, 1);
  }

  boolean isGivenUp(int peer) {
    return givenUp.get(peer) != 0;
  }

  /** How long a peer may be silent. */
  long detectionNanos() {
    return detectionNanos;
  }

  KeyTable keys() {
    return keys;
  }

  PacketStack packets() {
    return packets;
  }

  Keeper keeper() {
    return keeper;
  }
}
