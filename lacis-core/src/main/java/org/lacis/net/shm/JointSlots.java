package org.lacis.net.shm;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetDevice;
import org.lacis.net.NetPieces;

/**
 * The {@link JointCopy copies} this rank has asked for. Under the lock of its {@link Pipeline},
 * except where said; slots are vacated by the polling thread alone.
 */
final class JointSlots {

  static final int COUNT = 16;
  static final long BYTES = (long) COUNT * ShmLayout.JOINT_BYTES;

  private static final int ALL = (1 << COUNT) - 1;

  /** How many copies may overtake one. */
  private static final int PATIENCE = 4 * COUNT;

  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final long address;
  private final long offset;
  private final ShmPeer[] peers;
  private final RingProducer[] rings;
  private final VmDesks desks;
  private final JointRanges copier;
  private final @Nullable Transfer[] transfers = new @Nullable Transfer[COUNT];
  private final int[] generations = new int[COUNT];
  private final MemorySegment[][] locals = new MemorySegment[COUNT][JointRanges.MAX];
  private final int[] ranges = new int[COUNT];
  private final long[] numbers = new long[COUNT];
  private long nextNumber;
  private int busy;

  /** By slot: what the peer had taken when it was asked last. The polling thread's. */
  private final int[] helped = new int[COUNT];

  /**
   * Creates the slots.
   *
   * @param address where they are
   * @param offset where that is in this rank's file
   */
  JointSlots(
      long address,
      long offset,
      ShmPeer[] peers,
      RingProducer[] rings,
      VmDesks desks,
      JointRanges copier) {
    this.address = address;
    this.offset = offset;
    this.peers = peers;
    this.rings = rings;
    this.desks = desks;
    this.copier = copier;
  }

  /** The slots in use, one bit each. */
  int busy() {
    return busy;
  }

  /** Whether there is a slot for another copy. */
  boolean available() {
    return busy != ALL;
  }

  /**
   * Starts the copy of a transfer, if there is a slot, and asks the peer to help.
   *
   * @param first of the pieces
   * @param count how many of them, at most {@link JointRanges#MAX}
   */
  void start(Transfer transfer, NetPieces pieces, int first, int count) {
    int slot = Integer.numberOfTrailingZeros(~busy);
    busy |= 1 << slot;
    transfers[slot] = transfer;
    transfer.inFlight++;
    transfer.length = JointRanges.write(address(slot), pieces, first, count);
    transfer.issued = transfer.length;
    keep(slot, pieces, first, count);
    numbers[slot] = nextNumber++;
    helped[slot] = 0;
    JointCopy.prepare(address(slot), ++generations[slot]);
    ask(slot, transfer);
  }

  /** The memory here stays reachable, and can be asked whether it is still there. */
  private void keep(int slot, NetPieces pieces, int first, int count) {
    for (int i = 0; i < count; i++) {
      locals[slot][i] = pieces.local(first + i);
    }
    ranges[slot] = count;
  }

  /** If there is no room in the ring nobody helps. Any thread that may touch the slot. */
  private void ask(int slot, Transfer transfer) {
    RingProducer ring = rings[transfer.peer];
    long position = ring.claim();
    if (position < 0) {
      return;
    }
    long which =
        Integer.toUnsignedLong(generations[slot]) | (transfer.put ? ShmLayout.JOINT_PUT : 0);
    ring.publishLongRequest(
        position,
        ShmLayout.HELP,
        ranges[slot],
        0,
        which,
        0,
        transfer.length,
        offset + (long) slot * ShmLayout.JOINT_BYTES);
  }

  /**
   * Copies a share of one of some copies, without the lock. The polling thread's.
   *
   * @param among slots that were in use, one bit each
   * @return whether there was something to do
   */
  boolean work(int among) {
    int slot = choose(among);
    VmDesk desk = slot < 0 ? null : desks.take();
    if (desk == null) {
      return false;
    }
    try {
      work(slot, transfer(slot), desk);
    } finally {
      desk.leave();
    }
    return true;
  }

  /**
   * The newest, as the peer comes from the other end: it reads requests in order. But the oldest if
   * that was passed over too often. Or -1.
   */
  private int choose(int among) {
    int newest = -1;
    int oldest = -1;
    for (int rest = among; rest != 0; rest &= rest - 1) {
      int slot = Integer.numberOfTrailingZeros(rest);
      if (JointCopy.left(address(slot), transfer(slot).length)) {
        newest = newest < 0 || numbers[slot] > numbers[newest] ? slot : newest;
        oldest = oldest < 0 || numbers[slot] < numbers[oldest] ? slot : oldest;
      }
    }
    return newest >= 0 && numbers[newest] - numbers[oldest] > PATIENCE ? oldest : newest;
  }

  private void work(int slot, Transfer transfer, VmDesk desk) {
    long words = address(slot);
    long share =
        JointCopy.take(
            false,
            copier.isSlower(true, peers[transfer.peer], words),
            words,
            generations[slot],
            transfer.length);
    if (share == JointCopy.NONE) {
      return;
    }
    int result = copy(slot, transfer, share, desk);
    JointCopy.done(words, share, result);
    if (result != NetDevice.OK) {
      giveUp(slot, transfer, result);
    } else if (JointCopy.left(words, transfer.length)) {
      int behind = JointCopy.takenBehind(words);
      if (behind != helped[slot]) {
        helped[slot] = behind;
        ask(slot, transfer);
      }
    }
  }

  private int copy(int slot, Transfer transfer, long share, VmDesk desk) {
    for (int i = 0; i < ranges[slot]; i++) {
      if (!locals[slot][i].scope().isAlive()) {
        return NetDevice.NO_ACCESS;
      }
    }
    ShmPeer target = peers[transfer.peer];
    return copier.copy(
        desk,
        transfer.put,
        target,
        locals[slot],
        address(slot),
        ranges[slot],
        JointCopy.offset(share, transfer.length),
        JointCopy.bytes(share, transfer.length));
  }

  /** Takes what is left and does nothing with it, for that reason. */
  private void giveUp(int slot, Transfer transfer, int why) {
    long rest = JointCopy.takeRest(address(slot), generations[slot], transfer.length);
    if (rest != JointCopy.NONE) {
      JointCopy.done(address(slot), rest, why);
    }
  }

  /** Ends a copy: answers its transfer, which has gone so. */
  Transfer vacate(int slot, int result) {
    Transfer transfer = transfer(slot);
    transfer.inFlight--;
    transfer.fail(result);
    busy &= ~(1 << slot);
    transfers[slot] = null;
    Arrays.fill(locals[slot], 0, ranges[slot], null);
    return transfer;
  }

  private Transfer transfer(int slot) {
    Transfer transfer = transfers[slot];
    if (transfer == null) {
      throw new IllegalStateException("slot " + slot + " is not in use");
    }
    return transfer;
  }

  /** Whether everything is copied, in a slot in use. */
  boolean doneAcquire(int slot) {
    return JointCopy.doneAcquire(address(slot), transfer(slot).length);
  }

  /** How it went, once it is done. */
  int result(int slot) {
    return JointCopy.result(address(slot));
  }

  /** Ends all copies with a peer that is gone: it may have taken a share. */
  void abandon(int peer) {
    for (int rest = busy; rest != 0; rest &= rest - 1) {
      int slot = Integer.numberOfTrailingZeros(rest);
      if (transfer(slot).peer == peer) {
        vacate(slot, NetDevice.PEER_GONE);
      }
    }
  }

  /**
   * Sees to it that no peer begins anything more, and waits for those that are at a share: their
   * users may do what they like with the memory then.
   */
  void close(PeerWatch watch) {
    for (int rest = busy; rest != 0; rest &= rest - 1) {
      int slot = Integer.numberOfTrailingZeros(rest);
      giveUp(slot, transfer(slot), NetDevice.NO_ACCESS);
    }
    long start = System.nanoTime();
    while (!quiet(watch) && System.nanoTime() - start < CLOSE_NANOS) {
      Thread.yield();
      watch.look();
    }
  }

  /** Whether no peer touches the slots any more. After they were closed. */
  boolean quiet(PeerWatch watch) {
    for (int rest = busy; rest != 0; rest &= rest - 1) {
      int slot = Integer.numberOfTrailingZeros(rest);
      if (!doneAcquire(slot) && !watch.gone(transfer(slot).peer)) {
        return false;
      }
    }
    return true;
  }

  private long address(int slot) {
    return address + (long) slot * ShmLayout.JOINT_BYTES;
  }
}
