package org.lacis.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps postings for reuse, by stripes. The first thread of a stripe owns one, which it takes and
 * gives without an atomic instruction; the other threads of the stripe, and posts from within a
 * post, share two more. No thread-locals: there may be a million virtual threads.
 *
 * @param <P> what is kept
 */
final class PostingCache<P extends PostingCache.Kept> {

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  /** Slots lie this far apart, so that two stripes are never on one cache line. */
  private static final int STRIDE = 32;

  /** Behind the slot of the owner's, in a stripe. */
  private static final int SHARED = 1;

  private final Function<@Nullable Thread, P> maker;
  private final @Nullable Object[] slots;
  private final int mask;

  /** What can be kept. */
  abstract static class Kept {

    /** The thread it is for; null if it is for any. */
    private final @Nullable Thread owner;

    /** Whether the owner has it in use; nobody else looks. */
    private boolean taken;

    Kept(@Nullable Thread owner) {
      this.owner = owner;
      this.taken = true;
    }
  }

  /**
   * An empty one.
   *
   * @param maker makes a posting for a thread, or, given null, for any
   */
  PostingCache(Function<@Nullable Thread, P> maker) {
    this.maker = maker;
    int stripes = Integer.highestOneBit(4 * Runtime.getRuntime().availableProcessors());
    this.mask = stripes - 1;
    this.slots = new Object[(stripes + 1) * STRIDE];
  }

  private int slot(Thread thread) {
    return (((int) thread.threadId() & mask) + 1) * STRIDE;
  }

  @SuppressWarnings("unchecked") // only what was put there
  P take() {
    Thread me = Thread.currentThread();
    int slot = slot(me);
    Kept own = (Kept) slots[slot];
    if (own != null && own.owner == me && !own.taken) {
      own.taken = true;
      return (P) own;
    }
    return take(me, slot, own);
  }

  private P take(Thread me, int slot, @Nullable Kept own) {
    Thread owner = own == null ? null : own.owner;
    if (owner == null || !owner.isAlive()) {
      // Two threads may do so at once: one of them finds later that the slot is another's.
      P made = maker.apply(me);
      SLOT.setRelease(slots, slot, (Object) made);
      return made;
    }
    P found = takeFrom(slot + SHARED);
    if (found == null) {
      found = takeFrom(slot + SHARED + 1);
    }
    return found != null ? found : maker.apply(null);
  }

  @SuppressWarnings("unchecked") // only what give has put there
  private @Nullable P takeFrom(int slot) {
    return (P) SLOT.getAndSet(slots, slot, (Object) null);
  }

  /** Takes one back. One that another thread than its owner has posted is not used again. */
  void give(P posting) {
    Thread me = Thread.currentThread();
    Kept kept = posting;
    if (kept.owner == me) {
      kept.taken = false;
    } else if (kept.owner == null) {
      int slot = slot(me) + SHARED;
      // Two threads of a stripe may choose the same: one posting is lost then, and made anew.
      SLOT.setRelease(slots, slots[slot] == null ? slot : slot + 1, (Object) posting);
    }
  }
}
