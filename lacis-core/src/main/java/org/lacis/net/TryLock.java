package org.lacis.net;

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
  private static final int FREE = 0;
  private static final int HELD = 1;
  private static final int CLOSED = 2;

  private final int[] words = new int[PADDING + 1 + PADDING];

  /** A lock that is free. */
  public TryLock() {}

  /** Takes the lock if it is free. */
  public boolean tryLock() {
    // Looking first keeps the line shared among those who find the lock taken.
    return word() == FREE && exchange(HELD);
  }

  /** Lets the lock go. */
  public void unlock() {
    WORDS.setRelease(words, PADDING, FREE);
  }

  /** Whether nobody can have it now; a snapshot. */
  public boolean isLocked() {
    return word() != FREE;
  }

  /**
   * From now on nobody gets the lock. Waits for a thread that has it, and sees what that has
   * written. For the end of what it guards, not for the way of a message.
   */
  public void close() {
    while (word() != CLOSED && !exchange(CLOSED)) {
      Thread.yield();
    }
  }

  private int word() {
    return (int) WORDS.getOpaque(words, PADDING);
  }

  private boolean exchange(int to) {
    return (int) WORDS.compareAndExchangeAcquire(words, PADDING, FREE, to) == FREE;
  }
}
