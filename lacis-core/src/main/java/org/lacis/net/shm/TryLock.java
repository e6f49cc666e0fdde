package org.lacis.net.shm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A lock that is tried and never waited for. It guards the fields of its subclass. */
abstract class TryLock extends Padded {

  private static final VarHandle STATE;
  private static final int FREE = 0;
  private static final int HELD = 1;
  private static final int CLOSED = 2;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(TryLock.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile int state;

  final boolean tryLock() {
    // Looked at first, so that threads that come in vain do not take the line from the one inside.
    return state == FREE && STATE.compareAndSet(this, FREE, HELD);
  }

  final void unlock() {
    STATE.setRelease(this, FREE);
  }

  /** Nobody gets the lock any more. Waits for a thread that holds it. */
  final void markClosed() {
    while (state != CLOSED && !STATE.compareAndSet(this, FREE, CLOSED)) {
      Thread.yield();
    }
  }
}
