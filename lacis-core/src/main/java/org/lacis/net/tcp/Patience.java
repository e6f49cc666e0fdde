package org.lacis.net.tcp;

import java.net.SocketTimeoutException;

/**
 * How long is waited for a peer, and what ends that before.
 *
 * @param deadline a {@link System#nanoTime} after which everything fails
 * @param check called now and then; throws if it makes no sense to wait on
 */
record Patience(long deadline, Runnable check) {

  private static final int SLICE_MILLIS = 100;

  /** Until a deadline, whatever happens. */
  static Patience until(long deadline) {
    return new Patience(deadline, () -> {});
  }

  boolean isOver() {
    return deadline - System.nanoTime() <= 0;
  }

  /** For how many milliseconds to wait before asking again; throws if there is no reason to. */
  int slice() throws SocketTimeoutException {
    check.run();
    if (isOver()) {
      throw new SocketTimeoutException("it says nothing");
    }
    long left = (deadline - System.nanoTime()) / 1_000_000;
    return Math.clamp(left, 1, SLICE_MILLIS);
  }
}
