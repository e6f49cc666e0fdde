package org.lacis.net.shm;

import java.util.Arrays;
import org.lacis.net.NetSink;
import org.lacis.net.Padded;

/** The rings that lead to this rank, on one device. One thread at a time. */
final class Inbox extends Padded {

  private RingConsumer[] rings;

  /**
   * Which ring comes first: another one each time, so that none starves when the limit is reached.
   */
  private int first;

  Inbox(RingConsumer[] rings) {
    this.rings = rings;
  }

  /** Reads a ring no more: its writer is gone, or should be. */
  void forget(RingConsumer ring) {
    rings = Arrays.stream(rings).filter(one -> one != ring).toArray(RingConsumer[]::new);
    first = 0;
  }

  /**
   * Delivers up to a limit of messages. Answers how many there were, with requests of peers that
   * were carried out.
   */
  int poll(NetSink sink, int limit) {
    RingConsumer[] all = rings;
    int start = first;
    first = start + 1 < all.length ? start + 1 : 0;
    int count = 0;
    for (int i = start; i < all.length && count < limit; i++) {
      count += all[i].poll(sink, limit - count);
    }
    for (int i = 0; i < start && count < limit; i++) {
      count += all[i].poll(sink, limit - count);
    }
    return count;
  }
}
