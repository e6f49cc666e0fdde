package org.lacis.net.shm;

import org.jspecify.annotations.Nullable;
import org.lacis.net.Memory;

/**
 * The slots of a {@link Pipeline}: which are in use, and for what. Under its lock.
 *
 * <p>Slots are used in turn: what a core has just read out of one is slow to write for another.
 */
final class Slots {

  static final int COUNT = 16;
  static final long BYTES = (long) COUNT * ShmLayout.SLOT_BYTES;

  /** One peer that does not poll must not keep all slots from the others. */
  private static final int PER_PEER = COUNT / 2;

  private static final int ALL = (1 << COUNT) - 1;

  private final long address;
  private final long offset;
  private final @Nullable Transfer[] transfers = new @Nullable Transfer[COUNT];
  private final long[] places = new long[COUNT];
  private final int[] lengths = new int[COUNT];
  private final int[] peers = new int[COUNT];
  private final int[] ofPeer;
  private final int[] takenBackOf;
  private int busy;
  private int takenBack;
  private int turn;

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
    this.takenBackOf = new int[peers];
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

  /** Whether a peer does not poll: it has not seen yet that slots were taken back. */
  boolean isAbsent(int peer) {
    if (takenBackOf[peer] > 0) {
      for (int left = takenBack; left != 0; left &= left - 1) {
        int slot = Integer.numberOfTrailingZeros(left);
        if (isAnswer(stateAcquire(slot))) {
          vacate(slot);
        }
      }
    }
    return takenBackOf[peer] > 0;
  }

  /** Whether some peer does not poll. */
  boolean someoneIsAbsent() {
    return takenBack != 0;
  }

  /** A slot that is not in use; there must be one. */
  int free() {
    int free = ~busy & ALL;
    int next = free & (-1 << turn);
    return Integer.numberOfTrailingZeros(next == 0 ? free : next);
  }

  /** Uses a slot for a part of a transfer. */
  void occupy(int slot, Transfer transfer, long place, int length) {
    Memory.putLong(address(slot) + ShmLayout.SLOT_STATE, ShmLayout.SLOT_UNDER_WAY);
    busy |= 1 << slot;
    turn = (slot + 1) % COUNT;
    transfers[slot] = transfer;
    peers[slot] = transfer.peer;
    places[slot] = place;
    lengths[slot] = length;
    ofPeer[transfer.peer]++;
    transfer.inFlight++;
  }

  /** Ends that; answers whose part it was, or null if that was taken back. */
  @Nullable Transfer vacate(int slot) {
    int peer = peers[slot];
    Transfer transfer = transfers[slot];
    if (transfer == null) {
      takenBack &= ~(1 << slot);
      takenBackOf[peer]--;
    } else {
      transfer.inFlight--;
      transfers[slot] = null;
    }
    busy &= ~(1 << slot);
    ofPeer[peer]--;
    return transfer;
  }

  /**
   * Takes a part back that the peer has not begun with. The slot stays in use until the peer has
   * seen that.
   *
   * @return false if it has begun
   */
  boolean takeBack(int slot) {
    Transfer transfer = transfers[slot];
    if (transfer == null
        || !Memory.compareAndSetLong(
            address(slot) + ShmLayout.SLOT_STATE,
            ShmLayout.SLOT_UNDER_WAY,
            ShmLayout.SLOT_TAKEN_BACK)) {
      return false;
    }
    transfer.inFlight--;
    transfers[slot] = null;
    takenBack |= 1 << slot;
    takenBackOf[transfer.peer]++;
    return true;
  }

  /** Whether a slot in use has a part of a transfer. */
  boolean isOf(int slot, Transfer transfer) {
    return transfers[slot] == transfer;
  }

  /** The peer that a slot in use waits for. */
  int peer(int slot) {
    return peers[slot];
  }

  /** Where in its transfer a slot's part starts. */
  long place(int slot) {
    return places[slot];
  }

  int length(int slot) {
    return lengths[slot];
  }

  long stateAcquire(int slot) {
    return Memory.getLongAcquire(address(slot) + ShmLayout.SLOT_STATE);
  }

  /** Whether a state is the answer of the peer: it has not to do with the slot any more. */
  static boolean isAnswer(long state) {
    return state == ShmLayout.SLOT_DONE || state == ShmLayout.SLOT_REFUSED;
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
