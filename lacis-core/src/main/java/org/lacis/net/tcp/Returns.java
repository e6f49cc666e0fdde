package org.lacis.net.tcp;

import java.util.concurrent.atomic.AtomicLong;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetContext.PacketTaker;

/**
 * A stack of packets or payloads that are free again, linked through the header in front of each.
 * Any thread gives; whoever takes takes all, so that no thread ever pops one and ABA cannot happen.
 */
final class Returns {

  /** Where the link is in the header. */
  private static final long NEXT = 16;

  private final AtomicLong top = new AtomicLong();

  /** Gives one. */
  void give(long payload) {
    long header = payload - NetContext.PACKET_HEADER;
    long before;
    do {
      before = top.get();
      Memory.putLong(header + NEXT, before);
    } while (!top.compareAndSet(before, payload));
  }

  /** Takes all: the first of a list, or 0. */
  long takeAll() {
    return top.get() == 0 ? 0 : top.getAndSet(0);
  }

  /** The one behind, in a list that was taken; 0 at its end. */
  static long next(long payload) {
    return Memory.getLong(payload - NetContext.PACKET_HEADER + NEXT);
  }

  /** Puts one in front of a list that was taken. */
  static void link(long payload, long rest) {
    Memory.putLong(payload - NetContext.PACKET_HEADER + NEXT, rest);
  }

  /** As {@link NetContext#reclaim}. */
  int reclaim(PacketTaker taker) {
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
