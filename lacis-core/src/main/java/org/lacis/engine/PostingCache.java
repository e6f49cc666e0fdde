package org.lacis.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Keeps two {@link EnginePosting}s for a few threads each, by stripes: a thread finds its own, or
 * makes one. No thread-locals: there may be a million virtual threads.
 */
final class PostingCache {

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(EnginePosting[].class);

  /** Slots lie this far apart, so that two stripes are never on one cache line. */
  private static final int STRIDE = 32;

  private final Engine engine;
  private final @Nullable EnginePosting[] slots;
  private final int mask;

  PostingCache(Engine engine) {
    this.engine = engine;
    int stripes = Integer.highestOneBit(4 * Runtime.getRuntime().availableProcessors());
    this.mask = stripes - 1;
    this.slots = new EnginePosting[(stripes + 1) * STRIDE];
  }

  private int slot() {
    return (((int) Thread.currentThread().threadId() & mask) + 1) * STRIDE;
  }

  EnginePosting take() {
    int slot = slot();
    EnginePosting found = (EnginePosting) SLOT.getAndSet(slots, slot, null);
    return found != null ? found : takeSecond(slot + 1);
  }

  /** The first one is in use: a handler posts from within a post. */
  private EnginePosting takeSecond(int slot) {
    EnginePosting found = (EnginePosting) SLOT.getAndSet(slots, slot, null);
    return found != null ? found : new EnginePosting(engine);
  }

  void give(EnginePosting posting) {
    int slot = slot();
    // Two threads of a stripe may choose the same: one posting is lost then, and made anew.
    SLOT.setRelease(slots, slots[slot] == null ? slot : slot + 1, posting);
  }
}
