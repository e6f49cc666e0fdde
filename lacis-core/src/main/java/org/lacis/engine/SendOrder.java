package org.lacis.engine;

import java.util.Arrays;
import org.lacis.net.BiasedLock;

/**
 * The numbers of the messages that this rank sends through one ordered matching engine, by
 * receiver. A thread has the receiver while it posts, since only then is it known whether the
 * message goes: a number that is left out would hold up all that follow.
 */
final class SendOrder {

  /** Another thread posts to the same receiver. */
  static final long BUSY = -1;

  private static final int TRIES = 64;

  private final Receiver[] receivers;

  /** Who has the lock may post to it. */
  private static final class Receiver extends BiasedLock {
    /** The number of the next message. */
    long next;
  }

  SendOrder(int ranks) {
    receivers = new Receiver[ranks];
    Arrays.setAll(receivers, _ -> new Receiver());
  }

  /**
   * Takes the receiver, until {@link #letGo}.
   *
   * @param wait whether to wait for a thread that posts to it now, however long that takes; who
   *     must not answer a retry cannot post out of order either
   * @return the number of the message; or {@link #BUSY}
   */
  long hold(int rank, boolean wait) {
    Receiver receiver = receivers[rank];
    for (int tries = 0; !receiver.tryLock(); tries++) {
      if (tries < TRIES) {
        Thread.onSpinWait();
      } else if (wait) {
        Thread.yield();
      } else {
        return BUSY;
      }
    }
    return receiver.next;
  }

  /**
   * Lets the receiver go.
   *
   * @param number the one of the message
   * @param sent whether it was sent, or will be
   */
  void letGo(int rank, long number, boolean sent) {
    Receiver receiver = receivers[rank];
    if (sent) {
      receiver.next = (number + 1) & 0xffff_ffffL;
    }
    receiver.unlock();
  }
}
