package org.lacis.net.ofi;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;
import org.lacis.net.AtomicWord;
import org.lacis.net.BiasedLock;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;

/**
 * An endpoint of libfabric and what is made of it. One lock guards all that posting threads and the
 * polling thread share, libfabric's objects included; the polling thread lets it go before it
 * delivers, so that a sink may post.
 */
final class OfiDevice implements NetDevice {

  /** How often the lock is tried for a sign of life; who has it polls or posts. */
  private static final int BEAT_TRIES = 100;

  /** The lock is biased to a thread that has taken it so often: short programs need not pay. */
  private static final int BIAS_AFTER = 65_536;

  private final OfiContext context;
  private final BiasedLock lock = new BiasedLock(BIAS_AFTER);
  private final Endpoint endpoint;
  private final ProcessGroup group;
  final Roster roster;
  final Outbox outbox;
  private final Transfers transfers;
  private final LargePackets large;
  private final Progress progress;
  private volatile boolean closed;

  /** Who polls next gives a sign of life. */
  private volatile boolean beatDue;

  OfiDevice(
      OfiContext context, Endpoint endpoint, ProcessGroup group, Slots receives, Roster roster) {
    this.context = context;
    this.endpoint = endpoint;
    this.group = group;
    this.roster = roster;
    SlabList slabs = context.slabs();
    int payload = receives.payload();
    Slots frames = new Slots(slabs, endpoint, Slot.SEND, payload, Libfabric.SEND);
    Slots heads = new Slots(slabs, endpoint, Slot.PACKET, 0, 0);
    this.outbox =
        new Outbox(
            endpoint,
            context.rank(),
            context.token(),
            roster,
            frames,
            heads,
            context.returns(),
            context.heapDescriptors(endpoint, payload));
    Inbox inbox = new Inbox(endpoint, roster, receives);
    this.large = new LargePackets(context.keys(), outbox, inbox, context.returns());
    this.transfers = new Transfers(endpoint, outbox, large, payload, context.directFrom());
    Server server = new Server(endpoint, context.keys(), roster, outbox, inbox, heads);
    this.progress =
        new Progress(context, endpoint, roster, inbox, outbox, transfers, large, server);
    inbox.refill();
  }

  /** Makes sure that all ranks can be reached; see {@link Progress#connect}. */
  void connect(Duration timeout, Runnable check) {
    progress.connect(timeout, check);
  }

  @Override
  public int inject(int peer, long h0, long h1, MemorySegment payload, long offset, int length) {
    if (length < 0 || length > context.injectLimit()) {
      throw new IllegalArgumentException(
          "cannot inject " + length + " bytes: the limit is " + context.injectLimit());
    }
    return message(peer, Frame.MESSAGE, h0, h1, payload, offset, length);
  }

  @Override
  public int mark(int peer, long h0, long h1) {
    return message(peer, Frame.MARK, h0, h1, MemorySegment.NULL, 0, 0);
  }

  private int message(
      int to, int kind, long h0, long h1, MemorySegment payload, long offset, int length) {
    Peer peer = roster.peer(to);
    if (!lock.tryLock()) {
      return BUSY;
    }
    try {
      return outbox.message(peer, kind, h0, h1, payload, offset, length);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int copyLimit(int peer) {
    return outbox.copyLimit(roster.peer(peer));
  }

  @Override
  public int sendCopy(int to, long h0, long h1, MemorySegment payload, long offset, int length) {
    Peer peer = roster.peer(to);
    if (length < 0 || length > outbox.copyLimit(peer)) {
      throw new IllegalArgumentException(
          "cannot copy " + length + " bytes: the limit is " + outbox.copyLimit(peer));
    }
    if (!lock.tryLock()) {
      return BUSY;
    }
    try {
      return outbox.packetCopy(peer, h0, h1, payload, offset, length);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int sendPacket(int to, long h0, long h1, long address, int length) {
    if (length < 0
        || length > Frame.MAX_PACKET
        || !context.isAllocated(address - NetContext.PACKET_HEADER, length)) {
      throw new IllegalArgumentException(
          "%d bytes at %#x are not a packet: allocate it from the context, with at most %d bytes"
              .formatted(length, address, Frame.MAX_PACKET));
    }
    Peer peer = roster.peer(to);
    if (!lock.tryLock()) {
      return BUSY;
    }
    try {
      return length <= peer.capacity
          ? outbox.packet(peer, h0, h1, address, length)
          : large.send(peer, h0, h1, address, length);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int put(
      int peer,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie) {
    return transfer(true, 0, 0, 0, peer, local, offset, length, key, keyOffset, h0, h1, cookie);
  }

  @Override
  public int get(
      int peer,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie) {
    if (local.isReadOnly()) {
      throw new IllegalArgumentException("cannot get into a read-only segment");
    }
    return transfer(false, 0, 0, 0, peer, local, offset, length, key, keyOffset, h0, h1, cookie);
  }

  @Override
  public boolean notifiesAlong(int peer, long length) {
    return transfers.notifiesAlong(length);
  }

  @Override
  public int atomic(
      int peer,
      int operation,
      long operand,
      long expected,
      MemorySegment local,
      long offset,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie) {
    int length = AtomicWord.bytes(operation);
    return transfer(
        false, operation, operand, expected, peer, local, offset, length, key, keyOffset, h0, h1,
        cookie);
  }

  private int transfer(
      boolean put,
      int operation,
      long operand,
      long expected,
      int to,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie) {
    Objects.checkFromIndexSize(offset, length, local.byteSize());
    Peer peer = roster.peer(to);
    if (!lock.tryLock()) {
      return BUSY;
    }
    try {
      int room = transfers.room(peer);
      if (room != OK) {
        return room;
      }
      Transfer transfer = transfers.take(peer);
      transfer.put = put;
      transfer.operation = operation;
      transfer.operand = operand;
      transfer.expected = expected;
      transfer.local = local;
      transfer.offset = offset;
      transfer.length = length;
      transfer.key = key;
      transfer.keyOffset = keyOffset;
      transfer.h0 = h0;
      transfer.h1 = h1;
      transfer.cookie = cookie;
      transfers.start(transfer);
      return PENDING;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int poll(NetSink sink, int limit) {
    if (closed) {
      return 0;
    }
    if (lock.tryLock()) {
      try {
        if (beatDue) {
          beatNow();
        }
        progress.make();
      } finally {
        lock.unlock();
      }
    }
    return progress.deliver(sink, limit);
  }

  /**
   * Gives peers a sign of life, at least every second time; any thread. The first time it is left
   * to who polls, and the lock with it.
   */
  void beat() {
    if (!beatDue) {
      beatDue = true;
      return;
    }
    for (int i = 0; i < BEAT_TRIES && !closed; i++) {
      if (lock.tryLock()) {
        try {
          beatNow();
        } finally {
          lock.unlock();
        }
        return;
      }
      Thread.yield();
    }
  }

  private void beatNow() {
    beatDue = false;
    outbox.beat();
    progress.lookSoon();
  }

  /** Lets accesses to registered memory end; any thread. */
  void noteAccesses() {
    if (lock.tryLock()) {
      try {
        progress.noteAccesses();
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  public void close() {
    if (shut()) {
      progress.leave(Frame.SHUT);
      context.retire(this);
    }
  }

  /** Nobody posts or polls from now on. Answers whether somebody could before. */
  private synchronized boolean shut() {
    if (closed) {
      return false;
    }
    closed = true;
    // Waits for a thread that posts. Never let go again.
    while (!lock.tryLock()) {
      Thread.yield();
    }
    return true;
  }

  /** Ends it as its rank goes. */
  void sayGoodbye() {
    shut();
    progress.leave(Frame.GOODBYE);
    group.leave(endpoint, context.slabs());
  }

  /** Gives its resources back, after it was closed, if no peer sends anything to it any more. */
  boolean dispose() {
    boolean deserted = progress.drain();
    if (deserted) {
      group.leave(endpoint, context.slabs());
    }
    return deserted;
  }
}
