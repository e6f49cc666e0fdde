package org.lacis.net;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What is taken by an atomic exchange, unless it is biased to the thread that comes.
 *
 * <p>An atomic exchange waits until all stores before it have left the core. Where these go to
 * lines that another process has, as those of a message do, that takes longer than all the rest. So
 * what one thread keeps taking is biased to it: from then on that thread takes it by plain stores,
 * in the way of the subclass. Another thread that comes ends the bias, once, with a barrier on all
 * cores. Where the system has no such barrier, there is no bias.
 */
public abstract class Biased extends Padded {

  /** How often in a row a thread takes it before it is biased to it, if nothing else is said. */
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

  /** The bias has ended. It is free as soon as its owner is through. */
  private static final int DRAINING = 4;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Biased.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int biasAfter;
  private volatile int state;

  // Of who has it: who had it last, how often in a row.
  private @Nullable Thread last;
  private long streak;
  private int revocations;

  /** Something that is free. */
  protected Biased() {
    this(BIAS_AFTER);
  }

  /**
   * Something that is free.
   *
   * @param biasAfter how often in a row a thread takes it before it is biased to it. The first bias
   *     of a process takes some milliseconds: see {@link Membarrier}
   */
  protected Biased(int biasAfter) {
    this.biasAfter = biasAfter;
  }

  /** Makes a bias to a thread, the caller, who has it. */
  protected abstract void bias(Thread owner);

  /** Tells the owner of the bias that it has ended. A barrier follows. */
  protected abstract void endBias();

  /**
   * Takes over from the owner of the bias, which has ended, and which the caller is not. If the
   * owner has begun something before the barrier, that is seen here; if not, it finds the bias
   * ended, and takes back what it has begun.
   *
   * @return false if the owner is not through; the caller comes again then
   */
  protected abstract boolean takeOver();

  /** Takes it, by a thread that it is not biased to. */
  protected final boolean exchange() {
    // Looked at first, so that threads that come in vain do not take the line from the one inside.
    int now = state;
    if (now == FREE) {
      return STATE.compareAndSet(this, FREE, HELD);
    }
    if (now == BIASED && STATE.compareAndSet(this, BIASED, REVOKING)) {
      revoke();
      now = DRAINING;
    }
    // Nothing of the bias is looked at before it is held: there may be another one by then, which
    // has ended as well.
    if (now != DRAINING || !STATE.compareAndSet(this, DRAINING, HELD)) {
      return false;
    }
    if (!takeOver()) {
      STATE.setRelease(this, DRAINING);
      return false;
    }
    last = null;
    revocations = Math.min(revocations + 1, MAX_REVOCATIONS);
    return true;
  }

  /** Leaves it biased, to be revoked by the next one, if the barrier fails. */
  private void revoke() {
    boolean seen = false;
    try {
      endBias();
      Membarrier.run();
      seen = true;
    } finally {
      STATE.setRelease(this, seen ? DRAINING : BIASED);
    }
  }

  /** Lets it go, after {@link #exchange}. */
  protected final void release() {
    STATE.setRelease(this, FREE);
  }

  /** The same, or leaves it biased to the caller, if that keeps taking it. */
  protected final void releaseOrBias() {
    boolean biased = false;
    try {
      biased = becomesBiased();
    } finally {
      STATE.setRelease(this, biased ? BIASED : FREE);
    }
  }

  private boolean becomesBiased() {
    Thread me = Thread.currentThread();
    if (last != me) {
      last = me;
      streak = 0;
      return false;
    }
    if (++streak < biasAfter * (1L << (2 * revocations)) || !Membarrier.works()) {
      return false;
    }
    streak = 0;
    bias(me);
    return true;
  }

  /** Whether it is biased to a thread now; a snapshot. */
  final boolean isBiased() {
    return state == BIASED;
  }
}
