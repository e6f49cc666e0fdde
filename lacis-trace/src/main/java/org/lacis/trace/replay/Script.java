package org.lacis.trace.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * What a rank did, as far as matching is concerned: steps in their order. Ranks of others are those
 * of the communicator until {@link Communicators} has found out who they are.
 */
final class Script {
  /** Sends a message: peer, tag, communicator. */
  static final int SEND = 0;

  /** Posts a receive: peer, tag, communicator; its number is how many came before. */
  static final int POST = 1;

  /** A receive is complete, or cancelled: its number. */
  static final int DONE = 2;

  /** Makes or uses a communicator, or a group: the number of what is done. */
  static final int MAKE = 3;

  static final int ANY = -1;

  final int rank;
  final Ints kinds = new Ints();
  final Ints peers = new Ints();
  final Ints tags = new Ints();
  final Ints comms = new Ints();

  /** When the call of a step was entered; of DONE, when it returned. In nanoseconds. */
  final Longs times = new Longs();

  final List<Making> makings = new ArrayList<>();

  /** Of each receive: whom and what it got, as its status says; ANY if that is not known. */
  final Ints gotSource = new Ints();

  final Ints gotTag = new Ints();

  /** Of each receive: the step it was posted by, and the one it was complete by; -1 for none. */
  final Ints postedBy = new Ints();

  final Ints doneBy = new Ints();

  /** Of each receive: 1 if it was cancelled. */
  final Ints cancelled = new Ints();

  long probes;

  Script(int rank) {
    this.rank = rank;
  }

  void step(int kind, int peer, int tag, int comm, long time) {
    kinds.add(kind);
    peers.add(peer);
    tags.add(tag);
    comms.add(comm);
    times.add(time);
  }

  /** Adds a receive, and answers its number. */
  int post(int source, int tag, int comm, long time) {
    postedBy.add(kinds.size());
    doneBy.add(-1);
    cancelled.add(0);
    gotSource.add(source);
    gotTag.add(tag);
    step(POST, source, tag, comm, time);
    return postedBy.size() - 1;
  }

  void done(int receive, long time) {
    doneBy.set(receive, kinds.size());
    step(DONE, receive, 0, 0, time);
  }

  int steps() {
    return kinds.size();
  }

  int receives() {
    return postedBy.size();
  }
}
