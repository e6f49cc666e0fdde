package org.lacis.net.shm;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetDevice;

/**
 * Where this rank's {@link JointCopy copies} under way are counted. Under the lock of its {@link
 * Pipeline}, except where said.
 */
final class JointSlots {

  static final int COUNT = 16;
  static final long BYTES = (long) COUNT * ShmLayout.JOINT_BYTES;

  private static final int STRIDE = ShmLayout.APART / Integer.BYTES;
  private static final int ALL = (1 << COUNT) - 1;

  private final long address;
  private final long offset;
  private final @Nullable Transfer[] transfers = new @Nullable Transfer[COUNT];
  private final int[] generations = new int[COUNT];

  /** Whether the thread that took the slot still copies. */
  private final AtomicIntegerArray posting = new AtomicIntegerArray((COUNT + 1) * STRIDE);

  private int busy;

  /**
   * Creates the slots.
   *
   * @param address where they are
   * @param offset where that is in this rank's file
   */
  JointSlots(long address, long offset) {
    this.address = address;
    this.offset = offset;
  }

  /** The slots in use, one bit each. */
  int busy() {
    return busy;
  }

  /** Takes a slot, or answers -1. */
  int occupy(Transfer transfer) {
    if (busy == ALL) {
      return -1;
    }
    int slot = Integer.numberOfTrailingZeros(~busy);
    busy |= 1 << slot;
    transfers[slot] = transfer;
    transfer.inFlight++;
    posting.set((slot + 1) * STRIDE, 1);
    JointCopy.prepare(address(slot), ++generations[slot]);
    return slot;
  }

  /** Ends that: answers the transfer, which has gone so. */
  Transfer vacate(int slot, int result) {
    Transfer transfer = transfer(slot);
    transfer.inFlight--;
    transfer.fail(result);
    busy &= ~(1 << slot);
    transfers[slot] = null;
    return transfer;
  }

  private Transfer transfer(int slot) {
    Transfer transfer = transfers[slot];
    if (transfer == null) {
      throw new IllegalStateException("slot " + slot + " is not in use");
    }
    return transfer;
  }

  /** The thread that took a slot has done its part. Without the lock. */
  void leave(int slot) {
    posting.set((slot + 1) * STRIDE, 0);
  }

  /**
   * Ends all copies with a peer that is gone: it may have taken a share.
   *
   * @return whether they are ended; if not, a thread of this process is still at one
   */
  boolean abandon(int peer) {
    for (int left = busy; left != 0; left &= left - 1) {
      int slot = Integer.numberOfTrailingZeros(left);
      if (transfer(slot).peer == peer && posting.get((slot + 1) * STRIDE) != 0) {
        return false;
      }
    }
    for (int left = busy; left != 0; left &= left - 1) {
      int slot = Integer.numberOfTrailingZeros(left);
      if (transfer(slot).peer == peer) {
        vacate(slot, NetDevice.PEER_GONE);
      }
    }
    return true;
  }

  /** Whether nobody touches the slots any more. */
  boolean quiet(PeerWatch watch) {
    for (int left = busy; left != 0; left &= left - 1) {
      int slot = Integer.numberOfTrailingZeros(left);
      if (!doneAcquire(slot)
          && (!watch.gone(transfer(slot).peer) || posting.get((slot + 1) * STRIDE) != 0)) {
        return false;
      }
    }
    return true;
  }

  /** Which copy of a slot in use it is. Also without the lock, by who is at that copy. */
  int generation(int slot) {
    return generations[slot];
  }

  /** Whether everything is copied, in a slot in use. */
  boolean doneAcquire(int slot) {
    return JointCopy.doneAcquire(address(slot), transfer(slot).length);
  }

  /** How it went, once it is done. */
  int result(int slot) {
    return JointCopy.result(address(slot));
  }

  /** Where a slot is in this process. Also without the lock. */
  long address(int slot) {
    return address + (long) slot * ShmLayout.JOINT_BYTES;
  }

  /** Where a slot is in this rank's file. Also without the lock. */
  long offset(int slot) {
    return offset + (long) slot * ShmLayout.JOINT_BYTES;
  }
}
