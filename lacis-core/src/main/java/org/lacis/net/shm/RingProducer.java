package org.lacis.net.shm;

import java.lang.foreign.MemorySegment;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;

/**
 * The writing end of the ring from this rank to one other, on one device. Threads take turns by its
 * lock. A cell may be claimed under the lock and published after the lock was given back: the
 * reader waits at it, writers do not.
 */
final class RingProducer extends TryLock {

  private final long ring;
  private final long cells;
  private final long mask;
  private final int shift;

  /** The position of the next message. Under the lock, as is the next. */
  private long tail;

  /** The reader's position, as last seen: at most this many messages have been read. */
  private long head;

  /**
   * Creates the writing end.
   *
   * @param ring the address of the ring in this process
   * @param cells the number of its cells
   */
  RingProducer(long ring, int cells) {
    this.ring = ring;
    this.cells = ring + ShmLayout.RING_CELLS;
    this.mask = cells - 1L;
    this.shift = Integer.numberOfTrailingZeros(cells);
  }

  /** Sends a message with its payload in the cell. */
  int inject(long h0, long h1, MemorySegment payload, long offset, int length) {
    if (!tryLock()) {
      return refusal();
    }
    try {
      long position = tail;
      long cell = cell(position);
      if (position - head > mask && !hasRoom(position)) {
        return whyFull();
      }
      Memory.putLong(cell + ShmLayout.CELL_H0, h0);
      Memory.putLong(cell + ShmLayout.CELL_H1, h1);
      Memory.copyIn(payload, offset, cell + ShmLayout.CELL_PAYLOAD, length);
      tail = position + 1;
      publishRelease(position, ShmLayout.INJECT, length);
      return NetDevice.OK;
    } finally {
      unlock();
    }
  }

  /**
   * Sends a packet.
   *
   * @param payload its address
   * @param offset its offset in this rank's file
   */
  int packet(long h0, long h1, long payload, long offset, int length) {
    if (!tryLock()) {
      return refusal();
    }
    long position = tail;
    int result = NetDevice.OK;
    if (position - head <= mask || hasRoom(position)) {
      PacketReturns.markSent(payload, position);
      long cell = cell(position);
      Memory.putLong(cell + ShmLayout.CELL_H0, h0);
      Memory.putLong(cell + ShmLayout.CELL_H1, h1);
      Memory.putLong(cell + ShmLayout.CELL_PACKET, offset);
      Memory.putLong(cell + ShmLayout.CELL_PACKET_LENGTH, length);
      tail = position + 1;
      publishRelease(position, ShmLayout.PACKET, 0);
    } else {
      result = whyFull();
    }
    unlock();
    return result;
  }

  /**
   * Takes the next cell, to be published by one of the next three methods, soon and in any case.
   *
   * @return its position, or a negative code of {@link NetDevice}
   */
  long claim() {
    if (!tryLock()) {
      return refusal();
    }
    long position = tail;
    long result = position;
    if (position - head <= mask || hasRoom(position)) {
      tail = position + 1;
    } else {
      result = whyFull();
    }
    unlock();
    return result;
  }

  /** Publishes a claimed cell as a message without payload. */
  void publishMessage(long position, long h0, long h1) {
    long cell = cell(position);
    Memory.putLong(cell + ShmLayout.CELL_H0, h0);
    Memory.putLong(cell + ShmLayout.CELL_H1, h1);
    publishRelease(position, ShmLayout.INJECT, 0);
  }

  /** Publishes a claimed cell as a request to copy. */
  void publishRequest(long position, int kind, long key, long offset, long length, long slot) {
    long cell = cell(position);
    Memory.putLong(cell + ShmLayout.CELL_H0, key);
    Memory.putLong(cell + ShmLayout.CELL_H1, offset);
    Memory.putLong(cell + ShmLayout.CELL_COPY_LENGTH, length);
    Memory.putLong(cell + ShmLayout.CELL_SLOT, slot);
    publishRelease(position, kind, 0);
  }

  /** Publishes a claimed cell that is not needed after all. */
  void publishNothing(long position) {
    publishRelease(position, ShmLayout.NOTHING, 0);
  }

  private void publishRelease(long position, int kind, int length) {
    Memory.putLongRelease(cell(position), ShmLayout.control(position, shift, kind, length));
  }

  private boolean hasRoom(long position) {
    long seen = Memory.getLongAcquire(ring + ShmLayout.RING_HEAD);
    if (seen == ShmLayout.HEAD_CLOSED) {
      return false;
    }
    head = seen;
    return position - seen <= mask;
  }

  private int whyFull() {
    return readerClosedAcquire() ? NetDevice.PEER_GONE : NetDevice.FULL;
  }

  /** Whether the peer has closed its device: it will never read again. */
  boolean readerClosedAcquire() {
    return Memory.getLongAcquire(ring + ShmLayout.RING_HEAD) == ShmLayout.HEAD_CLOSED;
  }

  /**
   * From now on answers {@link NetDevice#BUSY}; returns when no thread writes to the ring any more.
   */
  void close() {
    if (!markClosed()) {
      return;
    }
    // Claimed cells are published without the lock, by threads that are copying now.
    for (long position = Math.max(0, tail - mask - 1); position < tail; position++) {
      while (!ShmLayout.arrived(Memory.getLongAcquire(cell(position)), position, shift)) {
        Thread.onSpinWait();
      }
    }
    Memory.putLongRelease(ring + ShmLayout.RING_ENDED, 1);
  }

  /**
   * Takes the packets back that a peer that is gone has not returned, as far as the ring still
   * shows them. Only after {@link #markGone}.
   */
  void recover(PacketReturns returns, int rank, int peer) {
    for (long position = Math.max(0, tail - mask - 1); position < tail; position++) {
      long cell = cell(position);
      long control = Memory.getLongAcquire(cell);
      if (ShmLayout.arrived(control, position, shift)
          && ShmLayout.kind(control) == ShmLayout.PACKET) {
        returns.giveBack(rank, peer, Memory.getLong(cell + ShmLayout.CELL_PACKET), position);
      }
    }
  }

  private long cell(long position) {
    return cells + ((position & mask) << ShmLayout.CELL_SHIFT);
  }
}
