package org.lacis.net.tcp;

import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;
import org.lacis.net.Memory;
import org.lacis.net.NetSink;

/**
 * Messages of one source that wait until the sink takes them, in order. One thread adds at a time,
 * and the polling thread delivers. There is room for as many as the source may have under way.
 */
final class Arrivals {

  private static final int CELL_SHIFT = 8;
  private static final int H0 = 0;
  private static final int H1 = 8;
  private static final int ADDRESS = 16;
  private static final int LENGTH = 24;
  private static final int LEASE = 32;
  private static final int PAYLOAD = 64;

  private final TcpMemory memory;
  private final int mask;

  /** Made at first use: most sources never have a message refused. */
  private MemorySegment cells = MemorySegment.NULL;

  /** By the polling thread; others see it late, and think there is less room than there is. */
  private final Tally head = new Tally();

  private final Tally tail = new Tally();

  Arrivals(TcpMemory memory, int cells) {
    this.memory = memory;
    this.mask = cells - 1;
  }

  boolean isEmpty() {
    return head.get() == tail.get();
  }

  boolean isFull() {
    return tail.get() - head.get() > mask;
  }

  /**
   * Adds a message; there is room.
   *
   * @param payload where it is; without a lease it is copied
   */
  void add(long h0, long h1, long payload, int length, long lease) {
    long cell = place(h0, h1, length, lease);
    Memory.putLong(cell + ADDRESS, lease != 0 ? payload : cell + PAYLOAD);
    if (lease == 0) {
      Memory.copy(payload, cell + PAYLOAD, length);
    }
    tail.add(1);
  }

  /** Adds a short message out of a segment, which is bounds-checked. */
  void add(long h0, long h1, MemorySegment payload, long offset, int length) {
    long cell = place(h0, h1, length, 0);
    Memory.copyIn(payload, offset, cell + PAYLOAD, length);
    Memory.putLong(cell + ADDRESS, cell + PAYLOAD);
    tail.add(1);
  }

  private long place(long h0, long h1, int length, long lease) {
    if (cells.byteSize() == 0) {
      cells = memory.slab((mask + 1L) << CELL_SHIFT);
    }
    long cell = cell(tail.get());
    Memory.putLong(cell + H0, h0);
    Memory.putLong(cell + H1, h1);
    Memory.putInt(cell + LENGTH, length);
    Memory.putLong(cell + LEASE, lease);
    return cell;
  }

  private long cell(long position) {
    return cells.address() + ((position & mask) << CELL_SHIFT);
  }

  /** Hands messages to the sink until it refuses one; answers how many it took. */
  int deliver(NetSink sink, int source, int limit) {
    int count = 0;
    while (count < limit && !isEmpty()) {
      long cell = cell(head.get());
      if (!sink.message(
          source,
          Memory.getLong(cell + H0),
          Memory.getLong(cell + H1),
          Memory.getLong(cell + ADDRESS),
          Memory.getInt(cell + LENGTH),
          Memory.getLong(cell + LEASE))) {
        break;
      }
      head.add(1);
      count++;
    }
    return count;
  }

  /** Calls with the lease of every message that is still here. Nothing is delivered any more. */
  void close(LongConsumer release) {
    while (!isEmpty()) {
      long lease = Memory.getLong(cell(head.get()) + LEASE);
      if (lease != 0) {
        release.accept(lease);
      }
      head.add(1);
    }
    memory.forget(cells);
  }
}
