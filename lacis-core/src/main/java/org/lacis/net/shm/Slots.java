package org.lacis.net.shm;

import org.jspecify.annotations.Nullable;
import org.lacis.net.Memory;

/** The slots of a {@link Pipeline}: which are in use, and for what. Under its lock. */
final class Slots {

  static final int COUNT = 8;
  static final long BYTES = (long) COUNT * ShmLayout.SLOT_BYTES;

  /** One peer that does not poll must not keep all slots from the others. */
  private static final int PER_PEER = COUNT / 2;

  private static final int ALL = (1 << COUNT) - 1;

  private final long address;
  private final long offset;
  private final @Nullable Transfer[] transfers = new @Nullable Transfer[COUNT];
  private final long[] places = new long[COUNT];
  private final int[] lengths = new int[COUNT];
  private final int[] ofPeer;
  private int busy;

  /**
   * Creates the slots.
   *
   * @param address where they are
   * @param offset where that is in this rank's file
   * @param peers how many peers there are
   */
  Slots(long address, long offset, int peers) {
    this.address = address;
    this.offset = offset;
    this.ofPeer = new int[peers];
  }

  boolean available() {
    return busy != ALL;
  }

  boolean availableFor(int peer) {
    return busy != ALL && ofPeer[peer] < PER_PEER;
  }

  /** The slots in use, one bit each. */
  int busy() {
    return busy;
  }

  /** A slot that is not in use, if there is one. */
  int free() {
    return Integer.numberOfTrailingZeros(~busy);
  }

  /** Uses a slot for a part of a transfer. */
  void occupy(int slot, Transfer transfer, long place, int length) {
    Memory.putLong(address(slot) + ShmLayout.SLOT_STATE, ShmLayout.SLOT_UNDER_WAY);
    busy |= 1 << slot;
    transfers[slot] = transfer;
    places[slot] = place;
    lengths[slot] = length;
    ofPeer[transfer.peer]++;
    transfer.inFlight++;
  }

  /** Ends that. */
  Transfer vacate(int slot) {
    Transfer transfer = transfers[slot];
    if (transfer == null) {
      throw new IllegalStateException("slot " + slot + " is not in use");
    }
    busy &= ~(1 << slot);
    transfers[slot] = null;
    ofPeer[transfer.peer]--;
    transfer.inFlight--;
    return transfer;
  }

  /** The peer that a slot in use waits for. */
  int peer(int slot) {
    Transfer transfer = transfers[slot];
    return transfer == null ? -1 : transfer.peer;
  }

  /** Where in its transfer a slot's part starts. */
  long place(int slot) {
    return places[slot];
  }

  int length(int slot) {
    return lengths[slot];
  }

  long answerAcquire(int slot) {
    return Memory.getLongAcquire(address(slot) + ShmLayout.SLOT_STATE);
  }

  long data(int slot) {
    return address(slot) + ShmLayout.SLOT_DATA;
  }

  /** Where a slot is in this rank's file. */
  long offset(int slot) {
    return offset + (long) slot * ShmLayout.SLOT_BYTES;
  }

  private long address(int slot) {
    return address + (long) slot * ShmLayout.SLOT_BYTES;
  }
}
