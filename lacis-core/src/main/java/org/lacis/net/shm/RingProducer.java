package org.lacis.net.shm;

import java.lang.foreign.MemorySegment;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;

/**
 * The writing end of the ring from this rank to one other, on one device. Any number of threads.
 */
final class RingProducer extends RingClaims {

  /**
   * Creates the writing end.
   *
   * @param ring the address of the ring in this process
   * @param shape of the ring
   */
  RingProducer(long ring, RingShape shape) {
    this(ring, shape, FAR_NANOS);
  }

  /**
   * The same.
   *
   * @param farNanos how long a cell may take to come from a reader that is not far
   */
  RingProducer(long ring, RingShape shape, int farNanos) {
    super(ring, shape, farNanos);
  }

  /** Sends a message with its payload in the cell. */
  int inject(long h0, long h1, MemorySegment payload, long offset, int length) {
    long position = claim();
    if (position < 0) {
      return (int) position;
    }
    long cell = cell(position);
    int kind = ShmLayout.NOTHING;
    try {
      Memory.putLong(cell + ShmLayout.CELL_H0, h0);
      Memory.putLong(cell + ShmLayout.CELL_H1, h1);
      Memory.copyIn(payload, offset, cell + ShmLayout.CELL_PAYLOAD, length);
      kind = ShmLayout.INJECT;
    } finally {
      publishRelease(position, kind, length);
    }
    return NetDevice.OK;
  }

  /**
   * Sends a packet.
   *
   * @param payload its address
   * @param offset its offset in this rank's file
   */
  int packet(long h0, long h1, long payload, long offset, int length) {
    long position = claim();
    if (position < 0) {
      return (int) position;
    }
    PacketReturns.markSent(payload, position);
    long cell = cell(position);
    Memory.putLong(cell + ShmLayout.CELL_H0, h0);
    Memory.putLong(cell + ShmLayout.CELL_H1, h1);
    Memory.putLong(cell + ShmLayout.CELL_PACKET, offset);
    Memory.putLong(cell + ShmLayout.CELL_PACKET_LENGTH, length);
    publishRelease(position, ShmLayout.PACKET, 0);
    return NetDevice.OK;
  }

  /** Publishes a claimed cell as a message without payload. */
  void publishMessage(long position, long h0, long h1) {
    long cell = cell(position);
    Memory.putLong(cell + ShmLayout.CELL_H0, h0);
    Memory.putLong(cell + ShmLayout.CELL_H1, h1);
    publishRelease(position, ShmLayout.INJECT, 0);
  }

  /**
   * Publishes a claimed cell as a request to copy, or the like.
   *
   * @param length of the copy; or what is to be done instead
   */
  void publishRequest(long position, int kind, long key, long offset, long length, long slot) {
    long cell = cell(position);
    Memory.putLong(cell + ShmLayout.CELL_H0, key);
    Memory.putLong(cell + ShmLayout.CELL_H1, offset);
    Memory.putLong(cell + ShmLayout.CELL_COPY_LENGTH, length);
    Memory.putLong(cell + ShmLayout.CELL_SLOT, slot);
    publishRelease(position, kind, 0);
  }

  /** Publishes a claimed cell as a request to change a word, or one of the same form. */
  void publishLongRequest(
      long position,
      int kind,
      long key,
      long offset,
      long operation,
      long operand,
      long expected,
      long slot) {
    long cell = cell(position);
    Memory.putLong(cell + ShmLayout.CELL_OPERAND, operand);
    Memory.putLong(cell + ShmLayout.CELL_EXPECTED, expected);
    publishRequest(position, kind, key, offset, operation, slot);
  }

  /** Publishes a claimed cell that is not needed after all. */
  void publishNothing(long position) {
    publishRelease(position, ShmLayout.NOTHING, 0);
  }

  /**
   * From now on answers {@link NetDevice#BUSY}; returns when no thread writes to the ring any more.
   */
  void close() {
    if (markClosed()) {
      Memory.putLongRelease(ring() + ShmLayout.RING_ENDED, 1);
    }
  }

  /**
   * Takes the packets back that a peer that is gone has not returned, as far as the ring still
   * shows them. Only after {@link #markGone}, and when it {@link #isSettled}.
   */
  void recover(PacketReturns returns, int rank, int peer) {
    for (long position = oldest(); position < newest(); position++) {
      long cell = cell(position);
      if (ShmLayout.kind(Memory.getLong(cell)) == ShmLayout.PACKET) {
        returns.giveBack(rank, peer, Memory.getLong(cell + ShmLayout.CELL_PACKET), position);
      }
    }
  }
}
