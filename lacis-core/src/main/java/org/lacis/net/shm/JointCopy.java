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

  /** The shortest copy that is worth two. */
  static final long MIN = 64 * 1024;

  private static final int UNIT_SHIFT = 15;

  /** How units are counted: in this many bits. */
  private static final int COUNT_BITS = 16;

  private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;

  /** A share is this part of what is left. */
  private static final int PART = 2;

  private static final long NONE = -1;

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
   * Copies share after share until all are taken. After a failure shares are taken and not copied,
   * so that the copy comes to its end.
   *
   * @param back whether it takes from the back
   * @param slot its address in this process
   * @param generation which copy of that slot
   * @param write whether memory of the other process is written
   * @param pid the other process
   * @param here where its memory starts in this process
   * @param there where in the other
   */
  static void work(
      boolean back,
      long slot,
      int generation,
      VmDesk desk,
      boolean write,
      int pid,
      long here,
      long there,
      long length) {
    int units = units(length);
    int shift = unitShift(length);
    int result = NetDevice.OK;
    long share = take(back, slot, generation, units);
    while (share != NONE) {
      long from = (share >>> 32) << shift;
      long count = share & COUNT_MASK;
      if (result == NetDevice.OK) {
        long bytes = Math.min(length, from + (count << shift)) - from;
        result = desk.direct(write, pid, here + from, there + from, bytes);
        if (result != NetDevice.OK) {
          Memory.putLong(slot + ShmLayout.JOINT_RESULT, result);
        }
      }
      Memory.getAndAddLong(slot + ShmLayout.JOINT_DONE, count);
      share = take(back, slot, generation, units);
    }
  }

  /** The first unit of a share and how many it has, or {@link #NONE}. */
  private static long take(boolean back, long slot, int generation, int units) {
    while (true) {
      long taken = Memory.getLongVolatile(slot + ShmLayout.JOINT_TAKEN);
      int front = (int) taken & COUNT_MASK;
      int behind = (int) taken >>> COUNT_BITS;
      int left = units - front - behind;
      if ((int) (taken >>> 32) != generation || left <= 0) {
        return NONE;
      }
      int share = Math.max(1, left / PART);
      long now = taken + (back ? (long) share << COUNT_BITS : share);
      if (Memory.compareAndSetLong(slot + ShmLayout.JOINT_TAKEN, taken, now)) {
        int first = back ? units - behind - share : front;
        return ((long) first << 32) | share;
      }
    }
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
