package org.lacis;

import org.lacis.engine.HandleRecord;

/**
 * A posted receive that may be cancelled. It is given to {@link Posting#handle}, and reused, so
 * that nothing is allocated; it stands for the receive it was given to last.
 */
public abstract sealed class ReceiveHandle permits HandleRecord {

  /** For the engine. */
  protected ReceiveHandle() {}

  /** Makes one that stands for no receive yet. */
  public static ReceiveHandle create() {
    return new HandleRecord();
  }

  /**
   * Takes the receive back if it has not met a message. Its completion is signalled then with an
   * error of kind {@link ErrorKind#CANCELLED}. Any thread may call it.
   *
   * @return whether it was taken back; if not, it completes, or has completed, as usual
   */
  public abstract boolean cancel();
}
