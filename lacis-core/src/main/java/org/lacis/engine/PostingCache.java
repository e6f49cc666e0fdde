package org.lacis.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps two postings for a few threads each, by stripes: a thread finds its own, or makes one. No
 * thread-locals: there may be a million virtual threads.
 *
 * @param <P> what is kept
 */
final class PostingCache<P> {

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  /** Slots lie this far apart, so that two stripes are never on one cache line. */
  private static final int STRIDE = 32;

  private final Supplier<P> maker;
  private final @Nullable Object[] slots;
  private final int mask;

  PostingCache(Supplier<P> maker) {
    this.maker = maker;
    int stripes = Integer.highestOneBit(4 * Runtime.getRuntime().availableProcessors());
    this.mask = stripes - 1;
    this.slots = new Object[(stripes + 1) * STRIDE];
  }

  private int slot() {
    return (((int) Thread.currentThread().threadId() & mask) + 1) * STRIDE;
  }

  P take() {
    int slot = slot();
    P found = takeFrom(slot);
    return found != null ? found : takeSecond(slot + 1);
  }

  /** The first one is in use: a handler posts from within a post. */
  private P takeSecond(int slot) {
    P found = takeFrom(slot);
    return found != null ? found : maker.get();
  }

  @SuppressWarnings("unchecked") // only what give has put there
  private @Nullable P takeFrom(int slot) {
    return (P) SLOT.getAndSet(slots, slot, (Object) null);
  }

  void give(P posting) {
    int slot = slot();
    // Two threads of a stripe may choose the same: one posting is lost then, and made anew.
    SLOT.setRelease(slots, slots[slot] == null ? slot : slot + 1, (Object) posting);
  }
}
