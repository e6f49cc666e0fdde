package org.lacis.net.shm;

import org.lacis.net.Memory;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;
import org.lacis.net.Padded;

/** The reading end of the ring from one rank to this one, on one device. One thread at a time. */
final class RingConsumer extends Padded {

  /** How many messages are read before the writer is told, at the latest. */
  private static final int PUBLISH_EVERY = 64;

  private final int source;
  private final long ring;
  private final long cells;
  private final long mask;
  private final long publishMask;
  private final int shift;
  private final int cellShift;
  private final ShmPeer peer;
  private final Registrations registrations;
  private final JointHelper helper;

  /** The position of the next message. */
  private long head;

  /** The position the writer was told. */
  private long published;

  /** The cells without content that were read since the last poll ended. */
  private int nothings;

  /**
   * Creates the reading end.
   *
   * @param peer the writer
   * @param ring the address of the ring in this process
   * @param shape of the ring
   * @param registrations what peers may ask this rank to copy
   * @param helper for what they ask this rank to copy with them
   */
  RingConsumer(
      ShmPeer peer, long ring, RingShape shape, Registrations registrations, JointHelper helper) {
    this.source = peer.rank;
    this.peer = peer;
    this.ring = ring;
    this.cells = ring + ShmLayout.RING_CELLS;
    this.mask = shape.cells() - 1L;
    this.publishMask = Math.min(PUBLISH_EVERY, Math.max(1, shape.cells() / 4)) - 1L;
    this.shift = Integer.numberOfTrailingZeros(shape.cells());
    this.cellShift = shape.cellShift();
    this.registrations = registrations;
    this.helper = helper;
  }

  /**
   * Delivers what has arrived.
   *
   * @return how many messages were delivered and requests carried out
   */
  int poll(NetSink sink, int limit) {
    long position = head;
    int count = 0;
    while (count < limit) {
      long cell = cell(position);
      long control = Memory.getLongAcquire(cell);
      if (!ShmLayout.arrived(control, position, shift) || !deliver(cell, control, position, sink)) {
        break;
      }
      position++;
      head = position;
      count++;
      if ((position & publishMask) == 0) {
        publishRelease(position);
      }
    }
    if (position != published) {
      publishRelease(position);
    }
    return nothings == 0 ? count : without(count);
  }

  /** Cells that were given up are read, but nobody has anything of them. */
  private int without(int count) {
    int real = count - nothings;
    nothings = 0;
    return real;
  }

  private boolean deliver(long cell, long control, long position, NetSink sink) {
    if (ShmLayout.kind(control) != ShmLayout.INJECT) {
      return deliverOther(cell, ShmLayout.kind(control), position, sink);
    }
    long h0 = Memory.getLong(cell + ShmLayout.CELL_H0);
    long h1 = Memory.getLong(cell + ShmLayout.CELL_H1);
    return sink.message(
        source, h0, h1, cell + ShmLayout.CELL_PAYLOAD, ShmLayout.payloadLength(control), 0);
  }

  private boolean deliverOther(long cell, int kind, long position, NetSink sink) {
    long h0 = Memory.getLong(cell + ShmLayout.CELL_H0);
    long h1 = Memory.getLong(cell + ShmLayout.CELL_H1);
    if (kind == ShmLayout.PACKET) {
      long offset = Memory.getLong(cell + ShmLayout.CELL_PACKET);
      int length = (int) Memory.getLong(cell + ShmLayout.CELL_PACKET_LENGTH);
      return sink.message(
          source,
          h0,
          h1,
          peer.address + offset,
          length,
          PacketReturns.lease(source, position, offset));
    }
    if (kind == ShmLayout.NOTHING || helper.isGivenUpBy(peer)) {
      nothings++;
    } else if (kind == ShmLayout.HELP) {
      helper.help(peer, cell);
    } else {
      serve(kind, h0, h1, cell);
    }
    return true;
  }

  /**
   * Copies for the source, between registered memory and its slot, or changes a word for it, unless
   * it has lost patience and taken that back. Needs no room in any ring: the answer goes into the
   * slot.
   */
  private void serve(int kind, long key, long offset, long cell) {
    long slot = peer.address + Memory.getLong(cell + ShmLayout.CELL_SLOT);
    if (!Memory.compareAndSetLong(
        slot + ShmLayout.SLOT_STATE, ShmLayout.SLOT_UNDER_WAY, ShmLayout.SLOT_SERVED)) {
      answerRelease(cell, ShmLayout.SLOT_DONE);
      return;
    }
    long length = Memory.getLong(cell + ShmLayout.CELL_COPY_LENGTH);
    long data = slot + ShmLayout.SLOT_DATA;
    int result =
        kind == ShmLayout.ATOMIC
            ? registrations.change(
                (int) length,
                Memory.getLong(cell + ShmLayout.CELL_OPERAND),
                Memory.getLong(cell + ShmLayout.CELL_EXPECTED),
                key,
                offset,
                data)
            : registrations.serve(kind == ShmLayout.WRITE, key, offset, length, data);
    answerRelease(cell, result == NetDevice.OK ? ShmLayout.SLOT_DONE : ShmLayout.SLOT_REFUSED);
  }

  private void answerRelease(long cell, long answer) {
    long slot = peer.address + Memory.getLong(cell + ShmLayout.CELL_SLOT);
    Memory.putLongRelease(slot + ShmLayout.SLOT_STATE, answer);
  }

  /** Whether something has arrived and was not delivered. */
  boolean hasMessage() {
    return ShmLayout.arrived(Memory.getLongAcquire(cell(head)), head, shift);
  }

  /**
   * Ends reading: packets that were not delivered go back, requests are refused, and a writer that
   * finds no room learns why.
   */
  void close(PacketReturns returns, int rank) {
    while (hasMessage()) {
      long cell = cell(head);
      int kind = ShmLayout.kind(Memory.getLong(cell));
      if (kind == ShmLayout.PACKET) {
        returns.giveBack(source, rank, Memory.getLong(cell + ShmLayout.CELL_PACKET), head);
      } else if (kind == ShmLayout.WRITE || kind == ShmLayout.READ || kind == ShmLayout.ATOMIC) {
        answerRelease(cell, ShmLayout.SLOT_REFUSED);
      }
      head++;
    }
    publishRelease(ShmLayout.HEAD_CLOSED);
  }

  /** Whether the writer has said that it will not touch the ring again. */
  boolean endedAcquire() {
    return Memory.getLongAcquire(ring + ShmLayout.RING_ENDED) != 0;
  }

  private void publishRelease(long position) {
    published = position;
    Memory.putLongRelease(ring + ShmLayout.RING_HEAD, position);
  }

  private long cell(long position) {
    return cells + ((position & mask) << cellShift);
  }
}
