package org.lacis.net;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A lock nobody waits for, of what is mostly used by one thread. It is not reentrant, and let go by
 * the thread that has it. What was written before {@link #unlock} is seen after the next successful
 * {@link #tryLock}. Subclasses keep beside it what it guards.
 */
public class BiasedLock extends Biased {

  private static final Bias NOBODYS = new Bias(null);

  /** The last bias there was. Changes under the lock. */
  private volatile Bias bias = NOBODYS;

  /** A lock that is free. */
  public BiasedLock() {}

  /**
   * A lock that is free.
   *
   * @param biasAfter how often in a row a thread takes it before it is biased to it
   */
  public BiasedLock(int biasAfter) {
    super(biasAfter);
  }

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
      releaseOrBias();
    }
  }

  @Override
  protected final void bias(Thread owner) {
    bias = new Bias(owner);
  }

  @Override
  protected final void endBias() {
    bias.ended = true;
  }

  @Override
  protected final boolean takeOver() {
    return !bias.isInsideAcquire();
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
