package org.lacis.net;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A lock nobody waits for, of what is mostly used by one thread. It is not reentrant, and let go by
 * the thread that has it. What was written before {@link #unlock} is seen after the next successful
 * {@link #tryLock}. Subclasses keep beside it what it guards.
 *
 * <p>An atomic exchange waits until all stores before it have left the core. Where these go to
 * lines that another process has, as those of a message do, that takes longer than all the rest. So
 * a lock that one thread keeps taking is biased to it: from then on that thread takes it by plain
 * stores. Another thread that comes ends the bias, once, with a barrier on all cores. Where the
 * system has no such barrier, there is no bias. A ring of shared memory does the same with fewer
 * stores, as its next position says both what is claimed and that somebody is at it.
 */
public class BiasedLock extends Padded {

  /** How often in a row a thread has the lock before it is biased to it. */
  private static final int BIAS_AFTER = 256;

  /** How often a bias may be ended before that number stops growing, fourfold each time. */
  private static final int MAX_REVOCATIONS = 8;

  private static final VarHandle STATE;
  private static final int FREE = 0;
  private static final int HELD = 1;

  /** The owner of the bias has it whenever it likes, nobody else. */
  private static final int BIASED = 2;

  /** A thread is ending the bias. */
  private static final int REVOKING = 3;

  /** The bias has ended. The lock is free as soon as its owner is not inside. */
  private static final int DRAINING = 4;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(BiasedLock.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final Bias NOBODYS = new Bias(null);

  private volatile int state;

  /** The last bias there was. Changes under the lock. */
  private volatile Bias bias = NOBODYS;

  // Under the lock: who had it last, how often in a row.
  private @Nullable Thread last;
  private int streak;
  private int revocations;

  /** A lock that is free. */
  public BiasedLock() {}

  /** Takes the lock if it is free. */
  public final boolean tryLock() {
    Bias mine = bias;
    if (mine.owner == Thread.currentThread() && !mine.ended) {
      if (mine.inside) {
        return false;
      }
      if (mine.enter()) {
        return true;
      }
    }
    return exchange();
  }

  /** Lets the lock go. By the thread that has it. */
  public final void unlock() {
    Bias mine = bias;
    // What a thread that is not the owner sees inside may be the owner that comes too late.
    if (mine.owner == Thread.currentThread() && mine.inside) {
      mine.leaveRelease();
    } else {
      boolean biased = false;
      try {
        biased = becomesBiased();
      } finally {
        STATE.setRelease(this, biased ? BIASED : FREE);
      }
    }
  }

  /** Whether it is biased to a thread now; a snapshot. */
  final boolean isBiased() {
    return state == BIASED;
  }

  private boolean exchange() {
    // Looked at first, so that threads that come in vain do not take the line from the one inside.
    int now = state;
    if (now == FREE) {
      return STATE.compareAndSet(this, FREE, HELD);
    }
    if (now == BIASED && STATE.compareAndSet(this, BIASED, REVOKING)) {
      end(bias);
      now = DRAINING;
    }
    if (now != DRAINING || !STATE.compareAndSet(this, DRAINING, HELD)) {
      return false;
    }
    // If the owner has entered before the barrier, that is seen here; if not, it finds the bias
    // ended, and leaves again. Not looked at before the lock is held: there may be another bias by
    // then, which has ended as well.
    if (bias.isInsideAcquire()) {
      STATE.setRelease(this, DRAINING);
      return false;
    }
    last = null;
    revocations = Math.min(revocations + 1, MAX_REVOCATIONS);
    return true;
  }

  private void end(Bias now) {
    boolean seen = false;
    try {
      now.ended = true;
      Membarrier.run();
      seen = true;
    } finally {
      STATE.setRelease(this, seen ? DRAINING : BIASED);
    }
  }

  private boolean becomesBiased() {
    Thread me = Thread.currentThread();
    if (last != me) {
      last = me;
      streak = 0;
      return false;
    }
    if (++streak < BIAS_AFTER << (2 * revocations) || !Membarrier.works()) {
      return false;
    }
    streak = 0;
    bias = new Bias(me);
    return true;
  }

  /** Not used again once it has ended, so that late stores do no harm. */
  private static final class Bias extends Padded {

    private static final VarHandle INSIDE;

    static {
      try {
        INSIDE = MethodHandles.lookup().findVarHandle(Bias.class, "inside", boolean.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    final @Nullable Thread owner;

    /** Never reset. */
    volatile boolean ended;

    /** Whether the owner has the lock. Written by it alone. */
    boolean inside;

    Bias(@Nullable Thread owner) {
      this.owner = owner;
    }

    /** The owner's: takes the lock, unless the bias has ended. */
    boolean enter() {
      INSIDE.setOpaque(this, true);
      // Keeps the compiler from asking first. The core may still do so: after the barrier it either
      // finds the bias ended, or is seen inside.
      VarHandle.releaseFence();
      if (!ended) {
        return true;
      }
      leaveRelease();
      return false;
    }

    void leaveRelease() {
      INSIDE.setRelease(this, false);
    }

    boolean isInsideAcquire() {
      return (boolean) INSIDE.getAcquire(this);
    }
  }
}
