package org.lacis.net.shm;

import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetPieces;

/**
 * What a {@link JointCopy} is made of, one behind the other: ranges of who asked for it, and where
 * each is in what its peer has registered. They are in the slot, where both read them.
 */
final class JointRanges {

  /** The most of a copy. */
  static final int MAX = ShmLayout.JOINT_MAX_RANGES;

  private JointRanges() {}

  /**
   * Writes the ranges of some pieces, before anyone else knows of the copy.
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

  /**
   * Copies a share that was taken, by either side.
   *
   * @param desk of this thread
   * @param asked whether by who asked for it, or by its peer
   * @param put the direction, as who asked sees it
   * @param owner the peer, whose registrations they are
   * @param pid the process of the other side
   * @param count how many ranges the copy has
   * @param from where the share starts
   * @param bytes how many it has
   * @return as {@link VmDesk#move}
   */
  static int copy(
      VmDesk desk,
      boolean asked,
      boolean put,
      ShmPeer owner,
      int pid,
      long slot,
      int count,
      long from,
      long bytes) {
    int right = put ? NetContext.WRITE : NetContext.READ;
    int first = 0;
    long start = from;
    for (; first < count && start >= length(slot, first); first++) {
      start -= length(slot, first);
    }
    int held = 0;
    try {
      for (long left = bytes; left > 0; held++) {
        if (first + held >= count) {
          return NetDevice.NO_ACCESS;
        }
        long range = range(slot, first + held);
        long key = Memory.getLong(range + ShmLayout.RANGE_KEY);
        long offset = Memory.getLong(range + ShmLayout.RANGE_KEY_OFFSET) + start;
        long length = Math.min(left, length(slot, first + held) - start);
        long grant = Grant.hold(owner.table, key, offset, length, right);
        if (grant == Grant.REFUSED) {
          return NetDevice.NO_ACCESS;
        }
        long asker = Memory.getLong(range + ShmLayout.RANGE_ADDRESS) + start;
        long place = Grant.place(grant);
        long registered = Grant.kind(grant) == Grant.SHARED ? owner.ownAddress + place : place;
        desk.range(held, asked ? asker : registered, asked ? registered : asker, length);
        left -= length;
        start = 0;
      }
      return desk.moveRanges(asked == put, pid, held);
    } finally {
      for (int i = 0; i < held; i++) {
        Grant.release(owner.table, Memory.getLong(range(slot, first + i) + ShmLayout.RANGE_KEY));
      }
    }
  }

  private static long length(long slot, int range) {
    return Memory.getLong(range(slot, range) + ShmLayout.RANGE_LENGTH);
  }

  private static long range(long slot, int range) {
    return slot + ShmLayout.JOINT_RANGES + (long) range * ShmLayout.RANGE_BYTES;
  }
}
