package org.lacis.net.shm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Padded;

/**
 * A ring's bias to a thread, its owner. Not used again once it has ended, so that late stores do no
 * harm.
 */
final class Bias extends Padded {

  private static final VarHandle NEXT;
  private static final VarHandle REACHING;

  static {
    try {
      var lookup = MethodHandles.lookup();
      NEXT = lookup.findVarHandle(Bias.class, "next", long.class);
      REACHING = lookup.findVarHandle(Bias.class, "reaching", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final @Nullable Thread owner;

  /** The owner's: one behind the last position there is room for, as far as it has seen. */
  long room;

  /** The position the owner claims next. Written by the owner alone. */
  long next;

  /** The owner's: whether it takes long until a cell comes that the reader has. */
  boolean far;

  /** The owner's: from which position on that is to be measured again. */
  long probe;

  /** Never reset. */
  volatile boolean ended;

  /**
   * Whether the owner is about to ask for cells beyond the one it has claimed. Set before it
   * publishes that one. Written by the owner alone.
   */
  @SuppressWarnings("UnusedVariable") // read through its handle
  private boolean reaching;

  Bias(@Nullable Thread owner, long next, long room) {
    this.owner = owner;
    this.next = next;
    this.room = room;
  }

  /** The owner's: claims its next position, unless the bias has ended. */
  boolean claim(long position) {
    NEXT.setOpaque(this, position + 1);
    // Keeps the compiler from asking first. The core may still do so: after the barrier in
    // Biased.exchange it either finds the bias ended, or its claim is seen.
    VarHandle.releaseFence();
    if (!ended) {
      return true;
    }
    NEXT.setRelease(this, position);
    return false;
  }

  long nextAcquire() {
    return (long) NEXT.getAcquire(this);
  }

  void reachingRelease(boolean now) {
    REACHING.setRelease(this, now);
  }

  boolean isReachingAcquire() {
    return (boolean) REACHING.getAcquire(this);
  }
}
