package org.lacis.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The numbers of the messages that this rank sends through one ordered matching engine, by
 * receiver. A thread has the receiver while it posts, since only then is it known whether the
 * message goes: a number that is left out would hold up all that follow.
 */
final class SendOrder {

  /** Another thread posts to the same receiver. */
  static final long BUSY = -1;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final long HELD = 1L << 63;

  /** Words between those of two receivers. */
  private static final int APART = 128 / Long.BYTES;

  private static final int TRIES = 64;

  /** The next number, or {@link #HELD}. */
  private final long[] words;

  SendOrder(int ranks) {
    words = new long[(ranks + 1) * APART];
  }

  private static int at(int rank) {
    return (rank + 1) * APART - 1;
  }

  /**
   * Takes the receiver, until {@link #letGo}.
   *
   * @param wait whether to wait for a thread that posts to it now, however long that takes; who
   *     must not answer a retry cannot post out of order either
   * @return the number of the message; or {@link #BUSY}
   */
  long hold(int rank, boolean wait) {
    int at = at(rank);
    for (int tries = 0; ; tries++) {
      long next = (long) WORDS.getOpaque(words, at);
      if (next != HELD && WORDS.compareAndSet(words, at, next, HELD)) {
        return next;
      }
      if (tries < TRIES) {
        Thread.onSpinWait();
      } else if (wait) {
        Thread.yield();
      } else {
        return BUSY;
      }
    }
  }

  /**
   * Lets the receiver go.
   *
   * @param number the one of the message
   * @param sent whether it was sent, or will be
   */
  void letGo(int rank, long number, boolean sent) {
    WORDS.setRelease(words, at(rank), sent ? (number + 1) & 0xffff_ffffL : number);
  }
}
