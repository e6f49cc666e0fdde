package org.lacis.engine;

import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that are parked until a completion object is signalled. Costs one read per signal
 * while nobody is parked.
 */
final class Waiters {

  /** Made when a thread parks here for the first time; never taken back. */
  private volatile @Nullable ConcurrentLinkedQueue<Thread> parked;

  /** The caller looks at its condition once more after this, and only then parks. */
  void add(Thread thread) {
    ConcurrentLinkedQueue<Thread> p = parked;
    if (p == null) {
      synchronized (this) {
        p = parked;
        if (p == null) {
          p = new ConcurrentLinkedQueue<>();
          parked = p;
        }
      }
    }
    p.add(thread);
  }

  void remove(Thread thread) {
    ConcurrentLinkedQueue<Thread> p = parked;
    if (p != null) {
      p.remove(thread);
    }
  }

  /** Called after the condition has become true. */
  void wake() {
    ConcurrentLinkedQueue<Thread> p = parked;
    if (p != null) {
      // The condition was perhaps published with a release store only: it must be visible before we
      // look for sleepers.
      VarHandle.fullFence();
      for (Thread thread : p) {
        LockSupport.unpark(thread);
      }
    }
  }
}
