package org.lacis.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock nobody waits for. It is not reentrant and does not know its holder: any thread may unlock.
 * What was written before {@link #unlock} is seen after the next successful {@link #tryLock}. Its
 * word has 128 bytes to itself on either side.
 */
public final class TryLock {

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final int PADDING = 128 / Integer.BYTES;

  private final int[] words = new int[PADDING + 1 + PADDING];

  /** A lock that is free. */
  public TryLock() {}

  /** Takes the lock if it is free. */
  public boolean tryLock() {
    // Looking first keeps the line shared among those who find the lock taken.
    return (int) WORDS.getOpaque(words, PADDING) == 0
        && (int) WORDS.compareAndExchangeAcquire(words, PADDING, 0, 1) == 0;
  }

  /** Lets the lock go. */
  public void unlock() {
    WORDS.setRelease(words, PADDING, 0);
  }

  /** Whether somebody has it; a snapshot. */
  public boolean isLocked() {
    return (int) WORDS.getOpaque(words, PADDING) != 0;
  }
}
