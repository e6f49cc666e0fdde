package org.lacis.trace.replay;

/** What a request stands for. */
final class Slot {
  final boolean persistent;
  final boolean receive;
  final int peer;
  final int tag;
  final int comm;

  /** The number of the receive that is posted; -1 for none. */
  int active = -1;

  /** Whether the call that is looked at completes it; a list may name it twice. */
  boolean ends;

  Slot(boolean persistent, boolean receive, int peer, int tag, int comm) {
    this.persistent = persistent;
    this.receive = receive;
    this.peer = peer;
    this.tag = tag;
    this.comm = comm;
  }
}
