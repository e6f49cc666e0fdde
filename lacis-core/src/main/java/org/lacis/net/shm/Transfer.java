package org.lacis.net.shm;

import java.lang.foreign.MemorySegment;
import org.lacis.net.NetDevice;

/**
 * A put, get or atomic under way in a {@link Pipeline}. Used again and again; all fields are the
 * pipeline's, under its lock.
 */
final class Transfer {
  boolean put;

  /** What is to be done to a word; 0 for a copy. */
  int operation;

  long operand;
  long expected;
  int peer;
  MemorySegment local = MemorySegment.NULL;
  long offset;
  long length;
  long key;
  long keyOffset;
  long h0;
  long h1;
  long cookie;

  /** The bytes asked for so far. */
  long issued;

  /** The slots that wait for an answer. */
  int inFlight;

  /** {@link NetDevice#OK}, or why it has failed. */
  int result;

  /** Whether this rank could do it by itself, by the kernel. */
  boolean reachable;

  /** Of such ones: whether its peer has not been heard of for a while. */
  boolean late;

  /** Whether it could have gone another way, and counts in {@link Ways}. */
  boolean timed;

  /** Whether all is done but the notification, which found no room. */
  boolean unnotified;

  /** Its neighbours in the list it is in; itself if it is the head of an empty list, or in none. */
  Transfer before = this;

  Transfer after = this;

  /** Whether no more slots will be asked for, and none is waited for. */
  boolean settled() {
    return inFlight == 0 && (issued == length || result != NetDevice.OK);
  }

  void fail(int why) {
    if (result == NetDevice.OK) {
      result = why;
    }
  }

  /** Enters the list in front of another: at its end, if that is its head. */
  void insertBefore(Transfer other) {
    after = other;
    before = other.before;
    before.after = this;
    other.before = this;
  }

  void leave() {
    before.after = after;
    after.before = before;
    before = this;
    after = this;
  }
}
