package org.lacis.net.ofi;

import java.util.concurrent.atomic.AtomicLong;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetContext.PacketTaker;

/** Packets that were sent and are free again: a list that is linked through them. Any thread. */
final class PacketReturns {

  private final AtomicLong first = new AtomicLong();

  void give(long packet) {
    long next;
    do {
      next = first.get();
      Memory.putLong(packet - NetContext.PACKET_HEADER, next);
    } while (!first.compareAndSet(next, packet));
  }

  /** As {@link NetContext#reclaim}. */
  int reclaim(PacketTaker taker) {
    int count = 0;
    for (long packet = first.get() == 0 ? 0 : first.getAndSet(0); packet != 0; count++) {
      long next = Memory.getLong(packet - NetContext.PACKET_HEADER);
      taker.take(packet);
      packet = next;
    }
    return count;
  }
}
