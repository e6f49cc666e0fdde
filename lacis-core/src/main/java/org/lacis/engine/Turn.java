package org.lacis.engine;

import org.jspecify.annotations.Nullable;
import org.lacis.net.Padded;

/** Whose turn it is to make progress on a device. */
final class Turn extends Padded {

  /** Read only to compare with the reader itself. */
  private @Nullable Thread thread;

  /** It is the caller's, who has the lock of the device. */
  void begin() {
    thread = Thread.currentThread();
  }

  void end() {
    thread = null;
  }

  /** Whether it is the caller's, that is, whether the caller is inside progress, in a handler. */
  boolean isMine() {
    return thread == Thread.currentThread();
  }
}
