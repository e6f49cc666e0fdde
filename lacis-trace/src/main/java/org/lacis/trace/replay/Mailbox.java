package org.lacis.trace.replay;

/** What is sent to one rank, and which of it each of its receives has got. */
final class Mailbox {
  /** Of each message: who sent it, by which step, in which communicator, with which tag. */
  final Ints senders = new Ints();

  final Ints steps = new Ints();
  final Ints comms = new Ints();
  final Ints tags = new Ints();

  /** Of each message: the rank of its sender in the communicator. */
  final Ints sources = new Ints();

  /** Of each message: when it arrived. */
  final Longs arrivals = new Longs();

  /** Of each message, its receive; of each receive, its message. -1 for none. */
  final Ints receiveOf = new Ints();

  final Ints messageOf = new Ints();

  int add(int sender, int step, int source, int comm, int tag) {
    senders.add(sender);
    steps.add(step);
    sources.add(source);
    comms.add(comm);
    tags.add(tag);
    arrivals.add(Long.MAX_VALUE);
    receiveOf.add(-1);
    return senders.size() - 1;
  }

  int messages() {
    return senders.size();
  }
}
