package org.lacis.net.shm;

import org.lacis.net.Memory;
import org.lacis.net.NetDevice;

/**
 * A copy that two processes do together: who asked for it from the front, and its peer, if that
 * polls meanwhile, from the back. Each takes shares of what is left, which become smaller, so that
 * both are ready at about the same time; if the peer has something else to do, nobody waits for it.
 * Each half of a buffer that is used again is so in the cache of the same core again. The words
 * both use are in the slot of who asked, see {@link ShmLayout}.
 */
final class JointCopy {

  /** The shortest copy that is worth a request. */
  static final long MIN = 64 * 1024;

  /** Nothing is left to be taken. */
  static final long NONE = -1;

  /** The kernel takes 1.5 µs for a call, whatever it copies: shares are not shorter than this. */
  private static final int UNIT_SHIFT = 16;

  /** The most units of a share: messages wait meanwhile. */
  private static final int LONGEST_SHARE = 16;

  private static final int COUNT_BITS = 16;
  private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;

  private JointCopy() {}

  /** The length of the units of a copy, as a power of two: there are fewer than 2^16. */
  private static int unitShift(long length) {
    return Math.max(UNIT_SHIFT, Long.SIZE - Long.numberOfLeadingZeros(length) - COUNT_BITS + 1);
  }

  private static int units(long length) {
    int shift = unitShift(length);
    return (int) ((length + (1L << shift) - 1) >>> shift);
  }

  /** Makes a slot ready for a copy, before anyone else knows of it. */
  static void prepare(long slot, int generation) {
    Memory.putLong(slot + ShmLayout.JOINT_DONE, 0);
    Memory.putLong(slot + ShmLayout.JOINT_RESULT, NetDevice.OK);
    Memory.putLongRelease(slot + ShmLayout.JOINT_TAKEN, (long) generation << 32);
  }

  /**
   * Takes a share.
   *
   * @param back whether from the back
   * @param slower whether the other side is much quicker: then it is as short as possible
   * @param slot its address in this process
   * @param generation which copy of that slot
   * @param length of the whole copy
   * @return the share, or {@link #NONE}
   */
  static long take(boolean back, boolean slower, long slot, int generation, long length) {
    return take(back, slot, generation, units(length), slower ? 1 : LONGEST_SHARE);
  }

  /** Takes all that is left, so that nobody else begins anything. */
  static long takeRest(long slot, int generation, long length) {
    return take(false, slot, generation, units(length), Integer.MAX_VALUE);
  }

  private static long take(boolean back, long slot, int generation, int units, int most) {
    while (true) {
      long taken = Memory.getLongVolatile(slot + ShmLayout.JOINT_TAKEN);
      int front = (int) taken & COUNT_MASK;
      int behind = (int) taken >>> COUNT_BITS;
      int left = units - front - behind;
      if ((int) (taken >>> 32) != generation || left <= 0) {
        return NONE;
      }
      int share = most == Integer.MAX_VALUE ? left : Math.min(most, (left + 1) / 2);
      long now = taken + (back ? (long) share << COUNT_BITS : share);
      if (Memory.compareAndSetLong(slot + ShmLayout.JOINT_TAKEN, taken, now)) {
        int first = back ? units - behind - share : front;
        return ((long) first << 32) | share;
      }
    }
  }

  /** Whether something is left to be taken, of a copy that is under way. */
  static boolean left(long slot, long length) {
    long taken = Memory.getLongVolatile(slot + ShmLayout.JOINT_TAKEN);
    return units(length) > ((int) taken & COUNT_MASK) + ((int) taken >>> COUNT_BITS);
  }

  /** Where a share starts in its copy. */
  static long offset(long share, long length) {
    return (share >>> 32) << unitShift(length);
  }

  /** How many bytes a share has. */
  static long bytes(long share, long length) {
    long offset = offset(share, length);
    return Math.min(length, offset + ((share & COUNT_MASK) << unitShift(length))) - offset;
  }

  /** A share that was taken is copied, or has failed. */
  static void done(long slot, long share, int result) {
    if (result != NetDevice.OK) {
      Memory.putLong(slot + ShmLayout.JOINT_RESULT, result);
    }
    Memory.getAndAddLong(slot + ShmLayout.JOINT_DONE, share & COUNT_MASK);
  }

  /** How many units were taken from the back. */
  static int takenBehind(long slot) {
    return (int) Memory.getLongVolatile(slot + ShmLayout.JOINT_TAKEN) >>> COUNT_BITS;
  }

  /** Whether everything is copied. */
  static boolean doneAcquire(long slot, long length) {
    return Memory.getLongAcquire(slot + ShmLayout.JOINT_DONE) == units(length);
  }

  /** How it went, once it is done: {@link NetDevice#OK} or a code of -100 and below. */
  static int result(long slot) {
    int result = (int) Memory.getLong(slot + ShmLayout.JOINT_RESULT);
    return result == NetDevice.NO_MEMORY ? NetDevice.NO_ACCESS : result;
  }
}
