package org.lacis.net.shm;

import java.util.concurrent.atomic.AtomicLongArray;
import org.lacis.net.Memory;

/**
 * The entries of a registration table that are not in use. Lock-free and without allocation: stacks
 * linked through the entries themselves, one per stripe, so that threads seldom meet; an empty
 * stripe takes from the others. Entries that were never used are counted, not linked, so that the
 * table's pages stay untouched.
 */
final class FreeIndexes {

  private static final int STRIPES = 8;
  private static final int SHARE = ShmLayout.TABLE_ENTRIES / STRIPES;
  private static final int STRIDE = ShmLayout.APART / Long.BYTES;

  private final long table;

  /**
   * Per stripe: how often it changed (upper half, against ABA) and the top entry plus one (lower
   * half; 0 if empty).
   */
  private final AtomicLongArray tops = new AtomicLongArray((STRIPES + 1) * STRIDE);

  /** Per stripe: how many of its entries were ever used. */
  private final AtomicLongArray used = new AtomicLongArray((STRIPES + 1) * STRIDE);

  FreeIndexes(long table) {
    this.table = table;
  }

  /** An entry, or -1 if all are in use. */
  int take() {
    int first = stripe();
    for (int i = 0; i < STRIPES; i++) {
      int index = takeFrom((first + i) % STRIPES);
      if (index >= 0) {
        return index;
      }
    }
    return -1;
  }

  private int takeFrom(int stripe) {
    int at = (stripe + 1) * STRIDE;
    while (true) {
      long top = tops.get(at);
      int index = (int) top - 1;
      if (index < 0) {
        return fresh(stripe);
      }
      // Another thread may take this entry and change its link before the exchange, which then
      // fails as the count moved on.
      int next = Memory.getInt(entry(index) + ShmLayout.ENTRY_NEXT);
      if (tops.compareAndSet(at, top, changed(top) | Integer.toUnsignedLong(next))) {
        return index;
      }
    }
  }

  private int fresh(int stripe) {
    int at = (stripe + 1) * STRIDE;
    while (true) {
      long count = used.get(at);
      if (count == SHARE) {
        return -1;
      }
      if (used.compareAndSet(at, count, count + 1)) {
        return stripe * SHARE + (int) count;
      }
    }
  }

  /** Gives an entry back. */
  void give(int index) {
    int at = (stripe() + 1) * STRIDE;
    while (true) {
      long top = tops.get(at);
      Memory.putInt(entry(index) + ShmLayout.ENTRY_NEXT, (int) top);
      if (tops.compareAndSet(at, top, changed(top) | (index + 1))) {
        return;
      }
    }
  }

  private static long changed(long top) {
    return ((top >>> 32) + 1) << 32;
  }

  private long entry(int index) {
    return table + ((long) index << ShmLayout.ENTRY_SHIFT);
  }

  private static int stripe() {
    return (int) Thread.currentThread().threadId() & (STRIPES - 1);
  }
}
