package org.lacis.net.shm;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.net.LocalCopy;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetPieces;

/**
 * What a {@link JointCopy} is made of, one behind the other: ranges of who asked for it, and where
 * each is in what its peer has registered. They are in the slot, where both read them. What is in
 * the file of the other side is copied without the kernel. The polling thread's, except where said.
 */
final class JointRanges {

  /** The most of a copy. */
  static final int MAX = ShmLayout.JOINT_MAX_RANGES;

  private final ShmPeer self;
  private final Registrations registrations;
  private final boolean mapped;

  /** The keys whose memory is held while a share is copied. */
  private final long[] held = new long[MAX];

  /**
   * Creates it.
   *
   * @param registrations those of this rank
   * @param mapped whether to touch memory of peers that is mapped here
   */
  JointRanges(ShmPeer self, Registrations registrations, boolean mapped) {
    this.self = self;
    this.registrations = registrations;
    this.mapped = mapped;
  }

  /**
   * Writes the ranges of some pieces, before anyone else knows of the copy. Any thread that may
   * touch the slot.
   *
   * @return how many bytes they have
   */
  static long write(long slot, NetPieces pieces, int first, int count) {
    long total = 0;
    for (int i = 0; i < count; i++) {
      long range = range(slot, i);
      int piece = first + i;
      Memory.putLong(
          range + ShmLayout.RANGE_ADDRESS, pieces.local(piece).address() + pieces.offset(piece));
      Memory.putLong(range + ShmLayout.RANGE_LENGTH, pieces.length(piece));
      Memory.putLong(range + ShmLayout.RANGE_KEY, pieces.key(piece));
      Memory.putLong(range + ShmLayout.RANGE_KEY_OFFSET, pieces.keyOffset(piece));
      total += pieces.length(piece);
    }
    return total;
  }

  /** Whether a peer has given this rank up. */
  boolean isGivenUpBy(ShmPeer peer) {
    return peer.hasGivenUpAcquire(self.rank);
  }

  /**
   * Whether this side of a copy needs the kernel and the other one does not; a guess, by the first
   * range.
   *
   * @param asked whether this rank has asked for it
   * @param other the other side
   */
  boolean isSlower(boolean asked, ShmPeer other, long slot) {
    ShmPeer asker = asked ? self : other;
    ShmPeer owner = asked ? other : self;
    long grant = Grant.ask(owner.table, key(slot, 0), keyOffset(slot, 0), 1, 0);
    boolean ownersIsShared = Grant.kind(grant) == Grant.SHARED;
    boolean askersIsShared = asker.contains(address(slot, 0), 1);
    return mapped && (asked ? askersIsShared : ownersIsShared) && ownersIsShared != askersIsShared;
  }

  /**
   * Copies a share that was taken, by either side.
   *
   * @param desk of this thread
   * @param put the direction, as who asked sees it
   * @param other the other side
   * @param locals the memory here, by range, if this rank has asked for the copy; or else null
   * @param count how many ranges the copy has
   * @param from where the share starts
   * @param bytes how many it has
   * @return as {@link VmDesk#move}
   */
  int copy(
      VmDesk desk,
      boolean put,
      ShmPeer other,
      MemorySegment @Nullable [] locals,
      long slot,
      int count,
      long from,
      long bytes) {
    long table = locals == null ? self.table : other.table;
    int range = 0;
    long start = from;
    for (; range < count && start >= length(slot, range); range++) {
      start -= length(slot, range);
    }
    int holds = 0;
    int forKernel = 0;
    try {
      for (long left = bytes; left > 0; range++) {
        if (range == count) {
          return NetDevice.NO_ACCESS;
        }
        long length = Math.min(left, length(slot, range) - start);
        int right = put ? NetContext.WRITE : NetContext.READ;
        long key = key(slot, range);
        long grant = Grant.hold(table, key, keyOffset(slot, range) + start, length, right);
        if (grant == Grant.REFUSED) {
          return NetDevice.NO_ACCESS;
        }
        held[holds++] = key;
        long asker = address(slot, range) + start;
        long place = Grant.place(grant);
        boolean shared = Grant.kind(grant) == Grant.SHARED;
        int result = NetDevice.OK;
        if (locals != null && mapped && shared) {
          MemorySegment local = locals[range];
          result =
              LocalCopy.move(!put, local, asker - local.address(), other.address + place, length);
        } else if (locals != null) {
          desk.range(forKernel++, asker, shared ? other.ownAddress + place : place, length);
        } else if (mapped && other.contains(asker, length)) {
          long raw = other.address + asker - other.ownAddress;
          result = registrations.serve(put, key, keyOffset(slot, range) + start, length, raw);
        } else {
          desk.range(forKernel++, shared ? self.address + place : place, asker, length);
        }
        if (result != NetDevice.OK) {
          return result;
        }
        left -= length;
        start = 0;
      }
      return desk.orGone(desk.moveRanges(put == (locals != null), other.pid, forKernel), other);
    } finally {
      for (int i = 0; i < holds; i++) {
        Grant.release(table, held[i]);
      }
    }
  }

  private static long address(long slot, int range) {
    return Memory.getLong(range(slot, range) + ShmLayout.RANGE_ADDRESS);
  }

  private static long length(long slot, int range) {
    return Memory.getLong(range(slot, range) + ShmLayout.RANGE_LENGTH);
  }

  private static long key(long slot, int range) {
    return Memory.getLong(range(slot, range) + ShmLayout.RANGE_KEY);
  }

  private static long keyOffset(long slot, int range) {
    return Memory.getLong(range(slot, range) + ShmLayout.RANGE_KEY_OFFSET);
  }

  private static long range(long slot, int range) {
    return slot + ShmLayout.JOINT_RANGES + (long) range * ShmLayout.RANGE_BYTES;
  }
}
