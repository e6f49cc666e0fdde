package org.lacis.net.shm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.lacis.net.NetDevice;

/**
 * A lock that is tried and never waited for, with two ends: the peer behind it is gone, or it is
 * closed. It guards the fields of its subclass. The lock word of an uncontended lock costs one
 * exchange.
 */
abstract class TryLock extends Padded {

  private static final VarHandle STATE;
  private static final int FREE = 0;
  private static final int HELD = 1;
  private static final int GONE = 2;
  private static final int CLOSED = 3;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(TryLock.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile int state;

  final boolean tryLock() {
    // Looked at first, so that threads that come in vain do not take the line from the one that
    // works.
    return state == FREE && STATE.compareAndSet(this, FREE, HELD);
  }

  final void unlock() {
    STATE.setRelease(this, FREE);
  }

  /**
   * Why the lock was not to be had: {@link NetDevice#PEER_GONE}; or {@link NetDevice#BUSY} if it is
   * held or closed.
   */
  final int refusal() {
    return state == GONE ? NetDevice.PEER_GONE : NetDevice.BUSY;
  }

  /**
   * {@link NetDevice#OK} if the lock can be had again; otherwise {@link NetDevice#PEER_GONE} or
   * {@link NetDevice#BUSY}.
   */
  final int ended() {
    return state <= HELD ? NetDevice.OK : refusal();
  }

  /**
   * Nobody gets the lock any more, as the peer is gone. False if it is held just now: try again.
   */
  final boolean markGone() {
    return STATE.compareAndSet(this, FREE, GONE) || state >= GONE;
  }

  /**
   * Nobody gets the lock any more. Waits for a thread that holds it. False if that was so before.
   */
  final boolean markClosed() {
    while (true) {
      int now = state;
      if (now == CLOSED) {
        return false;
      }
      if (now != HELD && STATE.compareAndSet(this, now, CLOSED)) {
        return true;
      }
      Thread.onSpinWait();
    }
  }
}
