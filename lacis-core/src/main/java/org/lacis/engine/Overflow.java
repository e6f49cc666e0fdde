package org.lacis.engine;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Completions that found no room and must be kept all the same. Costs one read while there are
 * none; allocates for each that there is.
 */
final class Overflow {

  /** Made when the first one comes. */
  private volatile @Nullable ConcurrentLinkedQueue<StatusRecord> list;

  /** Keeps what a status {@linkplain StatusRecord#tellTo tells}. */
  void add(StatusRecord status) {
    ConcurrentLinkedQueue<StatusRecord> l = list;
    if (l == null) {
      synchronized (this) {
        l = list;
        if (l == null) {
          l = new ConcurrentLinkedQueue<>();
          list = l;
        }
      }
    }
    StatusRecord kept = new StatusRecord();
    status.tellTo(kept);
    l.add(kept);
  }

  boolean isEmpty() {
    ConcurrentLinkedQueue<StatusRecord> l = list;
    return l == null || l.isEmpty();
  }

  int size() {
    ConcurrentLinkedQueue<StatusRecord> l = list;
    return l == null ? 0 : l.size();
  }

  /** The first one, which stays; null if there is none. */
  @Nullable StatusRecord peek() {
    ConcurrentLinkedQueue<StatusRecord> l = list;
    return l == null ? null : l.peek();
  }

  /** The first one, taken out; null if there is none. */
  @Nullable StatusRecord poll() {
    ConcurrentLinkedQueue<StatusRecord> l = list;
    return l == null ? null : l.poll();
  }
}
