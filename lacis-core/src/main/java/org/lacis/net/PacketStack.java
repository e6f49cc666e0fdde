package org.lacis.net;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Packets that are free again, linked through their {@link NetContext#PACKET_HEADER headers}. Any
 * thread gives one; who takes takes all, so that no thread ever pops one and ABA cannot happen.
 */
public final class PacketStack {

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
    return Memory.getLong(packet - NetContext.PACKET_HEADER);
  }

  /** Puts packets that were taken behind another one. */
  public static void link(long packet, long next) {
    Memory.putLong(packet - NetContext.PACKET_HEADER, next);
  }
}
