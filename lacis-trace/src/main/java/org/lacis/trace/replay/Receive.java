package org.lacis.trace.replay;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A receive of which it is not known yet what it got, or what it gets when played again. */
final class Receive {
  static final int NONE = -1;

  final int number;

  /** As it was posted. */
  final Key posted;

  /** As whom it was posted to is seen; null in a communicator that is not known. */
  final @Nullable Comm comm;

  /** Of the message it got; null if that is not known. */
  @Nullable Key got;

  /** Whether it is complete, or as good as that. */
  boolean done;

  boolean gone;
  boolean settled;

  /** The message it got when recorded; NONE if that is not known. */
  int message = NONE;

  /** By engine: the message it got when played again. */
  final int[] met;

  int meetings;

  Receive(int number, Key posted, @Nullable Comm comm, int engines) {
    this.number = number;
    this.posted = posted;
    this.comm = comm;
    met = new int[engines];
    Arrays.fill(met, NONE);
  }
}
