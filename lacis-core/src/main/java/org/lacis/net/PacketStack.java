package org.lacis.net;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Packets that are free again, linked through their {@link NetContext#PACKET_HEADER headers}. Any
 * thread gives one; who takes takes all, so that no thread ever pops one and ABA cannot happen.
 */
public final class PacketStack {

  /** Where the link is in a header. */
  private static final int NEXT = 16 - NetContext.PACKET_HEADER;

  private final AtomicLong top = new AtomicLong();

  /** None so far. */
  public PacketStack() {}

  /** Adds the packet with a payload at this address. */
  public void give(long packet) {
    long below;
    do {
      below = top.get();
      link(packet, below);
    } while (!top.compareAndSet(below, packet));
  }

  /** All there are: the first one, from which {@link #next} leads to the others; or 0. */
  public long takeAll() {
    // Looked at first: an exchange takes the line away from those who give.
    return top.get() == 0 ? 0 : top.getAndSet(0);
  }

  /** The packet behind one that was taken, or 0. */
  public static long next(long packet) {
    return Memory.getLong(packet + NEXT);
  }

  /** Puts packets that were taken behind another one. */
  public static void link(long packet, long next) {
    Memory.putLong(packet + NEXT, next);
  }

  /** As {@link NetContext#reclaim}. */
  public int reclaim(NetContext.PacketTaker taker) {
    int count = 0;
    for (long packet = takeAll(); packet != 0; count++) {
      // Read before the taker gets the packet and may write there.
      long next = next(packet);
      taker.take(packet);
      packet = next;
    }
    return count;
  }
}
