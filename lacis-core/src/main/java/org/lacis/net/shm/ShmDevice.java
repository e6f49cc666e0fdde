package org.lacis.net.shm;

import java.lang.foreign.MemorySegment;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetPieces;
import org.lacis.net.NetSink;

/**
 * A ring from every rank and one to every rank, and the ways of moving bulk data. What {@link
 * #poll} answers includes requests of peers that were carried out. It is not closed while another
 * thread polls.
 */
final class ShmDevice implements NetDevice {

  private final ShmContext context;
  private final long file;
  private final long fileLength;
  private final int injectLimit;
  private final RingProducer[] out;
  private final RingConsumer[] in;
  private final Inbox inbox;
  private final Copies copies;
  private final Pipeline pipeline;
  private final Atomics atomics;
  private final Upkeep upkeep;
  private final DeviceMemory memory;
  private volatile boolean closed;

  /**
   * Creates a device.
   *
   * @param memory its rings and slots, in this rank's file
   * @param ringOffsets where the rings of every rank are in its file
   */
  ShmDevice(ShmContext context, BulkMode mode, DeviceMemory memory, long[] ringOffsets) {
    this.context = context;
    ShmPeer[] peers = context.peers();
    this.memory = memory;
    int size = peers.length;
    int rank = context.rank();
    this.file = peers[rank].address;
    this.fileLength = peers[rank].length;
    RingShape shape = memory.shape();
    this.injectLimit = shape.injectLimit();
    VmDesks desks = new VmDesks();
    JointRanges copier = new JointRanges(peers[rank], context.registrations(), mode.mapped);
    JointHelper helper = new JointHelper(copier, desks);
    this.out = new RingProducer[size];
    this.in = new RingConsumer[size];
    for (int peer = 0; peer < size; peer++) {
      out[peer] =
          new RingProducer(peers[peer].address + ringOffsets[peer] + rank * shape.bytes(), shape);
      in[peer] =
          new RingConsumer(peers[peer], memory.ring(peer), shape, context.registrations(), helper);
    }
    this.inbox = new Inbox(in);
    Slots slots = new Slots(memory.slots(), memory.slots() - file, size);
    this.pipeline =
        new Pipeline(
            out,
            slots,
            new JointSlots(
                memory.jointSlots(), memory.jointSlots() - file, peers, out, desks, copier),
            new TakeOver(peers, desks, slots),
            mode == BulkMode.AUTO);
    this.copies = new Copies(rank, peers, mode.mapped, out, desks, pipeline);
    this.atomics = new Atomics(peers, mode.mapped, out, pipeline);
    this.upkeep = new Upkeep(rank, context.watch(), context.returns(), out, in, inbox, pipeline);
  }

  @Override
  public int inject(int peer, long h0, long h1, MemorySegment payload, long offset, int length) {
    if (length < 0 || length > injectLimit) {
      throw new IllegalArgumentException(
          "cannot inject " + length + " bytes: the limit is " + injectLimit);
    }
    return out[peer].inject(h0, h1, payload, offset, length);
  }

  /** A ring is read in order, and messages are all that is not over when its post is. */
  @Override
  public int mark(int peer, long h0, long h1) {
    return out[peer].inject(h0, h1, MemorySegment.NULL, 0, 0);
  }

  @Override
  public int sendPacket(int peer, long h0, long h1, long address, int length) {
    long offset = address - file;
    if (offset < PACKET_MIN || length < 0 || offset > fileLength - length || (offset & 7) != 0) {
      throw new IllegalArgumentException(
          "%d bytes at %#x are not a packet: allocate it from the context, at a multiple of 8"
              .formatted(length, address));
    }
    return out[peer].packet(h0, h1, address, offset, length);
  }

  private static final long PACKET_MIN = ShmLayout.STACKS + (long) NetContext.PACKET_HEADER;

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
    return copies.post(true, peer, local, offset, length, key, keyOffset, h0, h1, cookie);
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
    return copies.post(false, peer, local, offset, length, key, keyOffset, h0, h1, cookie);
  }

  @Override
  public int move(
      boolean put,
      int peer,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset) {
    return copies.move(put, peer, local, offset, length, key, keyOffset);
  }

  @Override
  public int transfer(boolean put, int peer, NetPieces pieces, long cookie) {
    return copies.join(put, peer, pieces, cookie)
        ? PENDING
        : NetDevice.super.transfer(put, peer, pieces, cookie);
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
    return atomics.post(
        peer, operation, operand, expected, local, offset, key, keyOffset, h0, h1, cookie);
  }

  @Override
  public int poll(NetSink sink, int limit) {
    if (closed) {
      return 0;
    }
    int count = inbox.poll(sink, limit);
    if (pipeline.active()) {
      count += pipeline.poll(sink);
    }
    if (upkeep.due()) {
      count += upkeep.run(sink);
    }
    return count;
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      pipeline.close(context.watch());
      for (RingProducer ring : out) {
        ring.close();
      }
      for (RingConsumer ring : in) {
        ring.close(context.returns(), context.rank());
      }
    }
    context.retire(this);
  }

  /** Gives its memory back, after it was closed, if no peer writes there any more. */
  boolean dispose(PeerWatch watch) {
    for (int peer = 0; peer < in.length; peer++) {
      if (!in[peer].endedAcquire() && watch.mayWrite(peer)) {
        return false;
      }
    }
    if (!pipeline.quiet(watch)) {
      return false;
    }
    memory.free();
    return true;
  }
}
