package org.lacis.net.ofi;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetDevice;

/** A put, get or atomic, at the rank that asked for it. Used again. */
final class Transfer {

  /** Its place in the table. */
  final int index;

  /** Counts its uses: what belongs to an earlier one is not taken for its own. */
  int generation;

  /** Its neighbours in the list of those under way. */
  @Nullable Transfer before;

  @Nullable Transfer after;

  @Nullable Peer peer;
  boolean put;

  /** What is done to a word, or 0. */
  int operation;

  long operand;
  long expected;
  MemorySegment local = MemorySegment.NULL;
  long offset;
  long length;
  long key;
  long keyOffset;
  long h0;
  long h1;
  long cookie;

  /** How much was asked for. */
  long issued;

  /** Whether anything was: there are transfers of no bytes. */
  boolean begun;

  /** Requests without an answer. */
  int outstanding;

  int result = NetDevice.OK;

  /** Whether the peer reads or writes the local memory itself. */
  boolean direct;

  /** That of the local memory, if so. */
  long registration;

  /** Whether the peer delivers the notification without being asked again. */
  boolean notified;

  /** Whether nothing but the notification is left to do, and it has no room. */
  boolean waitsToNotify;

  /** The slot of the packet that it fetches, or 0: then the sink knows of it. */
  long packet;

  Transfer(int index) {
    this.index = index;
  }

  boolean isIssued() {
    return begun && issued >= length;
  }

  boolean isSettled() {
    return outstanding == 0 && (isIssued() || result != NetDevice.OK);
  }

  void fail(int why) {
    if (result == NetDevice.OK) {
      result = why;
    }
  }
}
