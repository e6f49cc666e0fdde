package org.lacis.net.shm;

import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetContext.PacketTaker;

/**
 * The way of packets back to their owner: in the owner's file a stack for every rank, linked
 * through the packets. Any thread of that rank pushes; the owner takes a stack as a whole, so that
 * no thread ever pops one packet and ABA cannot happen.
 *
 * <p>A lease is the source plus one (10 bits), a stamp (16 bits) and the packet's offset in the
 * source's file in words (36 bits). The stamp, from the position in the ring, stands in the packet
 * too while it is out: a lease released twice is noticed.
 */
final class PacketReturns {

  /** The most ranks, and the most bytes of a file, that a lease can name. */
  static final int MAX_RANKS = 1022;

  static final long MAX_BYTES = 1L << 39;

  private static final int STAMP_SHIFT = 36;
  private static final int SOURCE_SHIFT = 52;
  private static final long STAMP_MASK = 0xffff;
  private static final long OFFSET_MASK = (1L << STAMP_SHIFT) - 1;
  private static final long SENT = 0x544e4553L << 32;

  private final int rank;
  private final ShmPeer[] peers;

  PacketReturns(int rank, ShmPeer[] peers) {
    this.rank = rank;
    this.peers = peers;
  }

  static long lease(int source, long position, long offset) {
    return ((source + 1L) << SOURCE_SHIFT)
        | ((position & STAMP_MASK) << STAMP_SHIFT)
        | (offset >>> 3);
  }

  /** Marks a packet as out, before the message that carries it is published. */
  static void markSent(long payload, long position) {
    Memory.putLong(
        payload - NetContext.PACKET_HEADER + ShmLayout.PACKET_STATE,
        SENT | (position & STAMP_MASK));
  }

  /**
   * As {@link NetContext#release}. Of an owner that has given this rank up nothing can be released:
   * it has taken all of its packets back.
   */
  void release(long lease) {
    int source = (int) (lease >>> SOURCE_SHIFT) - 1;
    if (source < 0 || source >= peers.length) {
      throw new IllegalArgumentException("%#x is not a lease of this network".formatted(lease));
    }
    if (!giveBack(source, rank, (lease & OFFSET_MASK) << 3, (lease >>> STAMP_SHIFT) & STAMP_MASK)
        && !peers[source].hasGivenUpAcquire(rank)) {
      throw new IllegalStateException("the lease %#x has been released already".formatted(lease));
    }
  }

  /**
   * Pushes a packet on the stack it returns by.
   *
   * @param owner whose packet it is
   * @param consumer who had it
   * @param offset the payload's offset in the owner's file
   * @param position where in the ring it was sent
   * @return false if it is not out, or was sent again since
   */
  boolean giveBack(int owner, int consumer, long offset, long position) {
    long file = peers[owner].address;
    long header = file + offset - NetContext.PACKET_HEADER;
    // Two threads that release the same lease meet here: one succeeds.
    if (!Memory.compareAndSetLong(
        header + ShmLayout.PACKET_STATE, SENT | (position & STAMP_MASK), 0)) {
      return false;
    }
    long stack = file + stackOffset(consumer);
    long top;
    do {
      top = Memory.getLongAcquire(stack);
      Memory.putLong(header + ShmLayout.PACKET_NEXT, top);
    } while (!Memory.compareAndSetLong(stack, top, offset));
    return true;
  }

  /** As {@link NetContext#reclaim}. */
  int reclaim(PacketTaker taker) {
    long file = peers[rank].address;
    int count = 0;
    for (int consumer = 0; consumer < peers.length; consumer++) {
      long stack = file + stackOffset(consumer);
      if (Memory.getLongAcquire(stack) != 0) {
        count += take(file, Memory.getAndSetLong(stack, 0), taker);
      }
    }
    return count;
  }

  private static int take(long file, long top, PacketTaker taker) {
    int count = 0;
    long offset = top;
    while (offset != 0) {
      long payload = file + offset;
      // Read before the taker gets the packet and may write there.
      offset = Memory.getLong(payload - NetContext.PACKET_HEADER + ShmLayout.PACKET_NEXT);
      taker.take(payload);
      count++;
    }
    return count;
  }

  /** Where in a file what is there for a rank begins. */
  static long stackOffset(int consumer) {
    return ShmLayout.STACKS + (long) consumer * ShmLayout.APART;
  }
}
