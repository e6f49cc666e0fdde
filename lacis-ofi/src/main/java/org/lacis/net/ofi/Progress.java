package org.lacis.net.ofi;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.lacis.net.NetException;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;

/**
 * What a poll of a device does: reads what libfabric has ended, goes on with what waits, and
 * delivers. The polling thread's; all but the delivery under the device's lock.
 */
final class Progress {

  /** Reads of the completion queue in one poll, at most. */
  private static final int READS = 4;

  /** Polls between two looks at the clock, at most. */
  private static final int PATIENCE = 256;

  /**
   * Each peer is looked at, and sent something, at least so often: so libfabric notices if it is
   * dead.
   */
  private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long FASTEST_PING_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** How long the end of what was sent is waited for when the device is closed. */
  private static final long GOODBYE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Up to so many ranks connect when they are opened. */
  private static final int CONNECTED_RANKS = 128;

  private final Endpoint endpoint;
  private final long token;
  private final Roster roster;
  private final Inbox inbox;
  private final Outbox outbox;
  private final Transfers transfers;
  private final LargePackets large;
  private final Server server;
  private final int rank;
  private final AtomicIntegerArray givenUp;
  private final long pingInterval;
  private int polls;

  /** Completions that were read and not looked at. */
  private int unhandled;

  private long pingDue = System.nanoTime();
  private int pinged;

  Progress(
      OfiContext context,
      Endpoint endpoint,
      Roster roster,
      Inbox inbox,
      Outbox outbox,
      Transfers transfers,
      LargePackets large,
      Server server) {
    this.endpoint = endpoint;
    this.token = context.token();
    this.rank = context.rank();
    this.givenUp = context.givenUp();
    this.roster = roster;
    this.inbox = inbox;
    this.outbox = outbox;
    this.transfers = transfers;
    this.large = large;
    this.server = server;
    this.pingInterval =
        Math.max(
            FASTEST_PING_NANOS,
            Math.min(PING_NANOS, context.detection().toNanos() / 4) / roster.size());
  }

  /** Goes on with everything. */
  void make() {
    int entries = Endpoint.BATCH;
    boolean idle = true;
    for (int i = 0; i < READS && entries >= Endpoint.BATCH; i++) {
      entries = readOn();
      for (int entry = 0; entry < entries; entry++) {
        ended(entry);
      }
      idle &= entries <= 0;
    }
    inbox.collect();
    if (++polls >= PATIENCE) {
      polls = 0;
      ping();
    }
    if (server.isWaiting()) {
      server.proceed();
    }
    if (outbox.isWaiting()) {
      outbox.flush();
    }
    if (transfers.isStalled()) {
      transfers.proceed();
    }
    if (roster.takeUnsettled() > 0) {
      settle();
    }
    inbox.tell(outbox);
    // Whoever waits for what has come need not wait for receives that the next ones need.
    if (idle || inbox.isLow()) {
      inbox.refill();
    }
  }

  /**
   * Sends a first frame to every peer and waits for theirs: afterwards what is sent needs no peer's
   * progress to be on its way. With many ranks connections are left to be made when they are used.
   *
   * @param check called now and then; throws if a peer will not come
   * @throws NetException if a peer is not heard of in time
   */
  void connect(Duration timeout, Runnable check) {
    if (roster.size() > CONNECTED_RANKS) {
      return;
    }
    for (Peer peer : roster.peers()) {
      outbox.note(peer, Frame.CREDIT);
    }
    long end = System.nanoTime() + timeout.toNanos();
    while (roster.countHeard() < roster.size() || !outbox.isEmpty()) {
      make();
      check.run();
      if (System.nanoTime() - end > 0) {
        throw new NetException("libfabric: " + roster.silent() + " was not heard of in " + timeout);
      }
      Thread.yield();
    }
  }

  private void ended(int entry) {
    if (endpoint.entryIsNews(entry)) {
      transfers.written(endpoint.entryData(entry));
      return;
    }
    long slot = endpoint.entrySlot(entry);
    switch (Slot.kind(slot)) {
      case Slot.RECEIVE -> {
        inbox.ended();
        received(slot, endpoint.entryLength(entry));
      }
      case Slot.SERVICE -> server.ended(slot, true);
      default -> outbox.ended(slot);
    }
  }

  private void error() {
    int error = endpoint.readError();
    if (error == 0) {
      return;
    }
    long slot = endpoint.errorSlot();
    if (slot == 0) {
      return;
    }
    switch (Slot.kind(slot)) {
      case Slot.RECEIVE -> {
        inbox.ended();
        inbox.give(slot);
      }
      case Slot.SERVICE -> server.ended(slot, false);
      default -> {
        int peer = Slot.peer(slot);
        outbox.ended(slot);
        roster.failed(roster.peer(peer), error);
      }
    }
  }

  /** A frame has come. What is not from a rank of this job is dropped. */
  private void received(long slot, int length) {
    long frame = Slot.frame(slot);
    if (!isSound(slot, length)) {
      inbox.give(slot);
      return;
    }
    Peer peer = roster.peer(Frame.source(frame));
    if (peer.gone != null && !peer.leaving) {
      inbox.give(slot);
      outbox.expel(peer);
      return;
    }
    Slot.peer(slot, peer.rank);
    int kind = Frame.kind(frame);
    Slot.length(slot, length - Frame.header(kind));
    peer.hear(frame);
    if (kind >= Frame.MESSAGE && kind <= Frame.LAST_COUNTED && !peer.admit(kind)) {
      // Who sends more than there is room for would fill all memory.
      inbox.give(slot);
      demand(peer, false);
      return;
    }
    switch (kind) {
      case Frame.MESSAGE, Frame.BRIEF -> inbox.add(peer, slot);
      case Frame.PACKET -> demand(peer, inbox.addPacket(peer, slot));
      case Frame.PART -> demand(peer, inbox.addPart(peer, slot));
      case Frame.MARK -> inbox.addMark(peer, slot);
      case Frame.PUT, Frame.GET, Frame.ATOMIC, Frame.PULL, Frame.PUSH -> server.request(peer, slot);
      default -> {
        internal(peer, slot);
        inbox.give(slot);
      }
    }
  }

  /** Gives up a peer that has not kept to what it must know. */
  private void demand(Peer peer, boolean kept) {
    if (!kept) {
      roster.unruly(peer);
      outbox.expel(peer);
    }
  }

  private void internal(Peer peer, long slot) {
    long frame = Slot.frame(slot);
    switch (Frame.kind(frame)) {
      case Frame.LARGE -> large.arrived(peer, slot, transfers);
      case Frame.ANSWER -> transfers.answered(peer, slot);
      case Frame.FETCHED -> large.released(peer, Frame.key(frame));
      case Frame.WANT -> inbox.wanted(peer);
      case Frame.SHUT -> peer.shut = true;
      case Frame.GOODBYE -> roster.left(peer, Frame.number(frame));
      case Frame.GIVEN_UP -> roster.lost(peer, PeerEnd.GAVE_UP);
      default -> {}
    }
  }

  /** Ends everything with peers that are gone. */
  private void settle() {
    for (Peer peer : roster.peers()) {
      if (peer.gone != null) {
        outbox.abandon(peer);
        if (!peer.leaving) {
          inbox.giveParts(peer);
        }
      }
    }
    transfers.abandon();
    large.abandon();
  }

  private void ping() {
    long now = System.nanoTime();
    if (now - pingDue < 0) {
      return;
    }
    // As many as are due: polls may be far apart.
    long turns = Math.min(roster.size(), 1 + (now - pingDue) / pingInterval);
    pingDue = now + pingInterval;
    for (long turn = 0; turn < turns; turn++) {
      pinged = pinged + 1 < roster.size() ? pinged + 1 : 0;
      ping(roster.peer(pinged), now);
    }
  }

  private void ping(Peer peer, long now) {
    if (peer.rank == rank || (peer.gone != null && !peer.leaving)) {
      return;
    }
    boolean silent = peer.isSilent(now);
    if (peer.leaving) {
      if (silent) {
        // It has said goodbye behind messages that do not come.
        roster.lost(peer, PeerEnd.CLOSED);
      }
      return;
    }
    if (givenUp.get(peer.rank) != 0 || (peer.process != null && peer.process.isDead())) {
      roster.lost(peer, PeerEnd.DIED);
    } else if (peer.shut) {
      return; // its rank gives signs of life on the devices that it still has
    } else if (silent) {
      roster.lost(peer, PeerEnd.SILENT);
      // For other devices, of which it has closed its own.
      givenUp.set(peer.rank, 1);
    } else if (peer.waitingFirst == 0) {
      outbox.note(peer, Frame.CREDIT);
    }
  }

  /** Has the next poll look at the clock, however few there were: polls may be far apart. */
  void lookSoon() {
    polls = PATIENCE;
  }

  /** Delivers what there is, outside of the lock. */
  int deliver(NetSink sink, int limit) {
    int count = inbox.deliver(sink, limit) + transfers.report(sink);
    return count + roster.report(sink);
  }

  /**
   * After the device was closed: sends a last message to all, and waits a little for everything
   * that was sent to be gone.
   *
   * @param kind {@link Frame#GOODBYE} or {@link Frame#SHUT}
   */
  void leave(int kind) {
    roster.closing();
    for (Peer peer : roster.peers()) {
      if (peer.known) {
        outbox.note(peer, kind);
      }
    }
    long end = System.nanoTime() + GOODBYE_NANOS;
    do {
      drain();
    } while ((!outbox.isEmpty() || server.isBusy()) && System.nanoTime() - end < 0);
  }

  /**
   * After the device was closed: sends what is left, and serves and delivers nothing. Answers
   * whether no peer sends anything to it any more.
   */
  boolean drain() {
    int entries = readOn();
    for (int entry = 0; entry < entries; entry++) {
      endedLate(entry);
    }
    outbox.flush();
    if (roster.takeUnsettled() > 0) {
      settle();
    }
    inbox.refill();
    return roster.isDeserted();
  }

  private void endedLate(int entry) {
    if (endpoint.entryIsNews(entry)) {
      return;
    }
    long slot = endpoint.entrySlot(entry);
    switch (Slot.kind(slot)) {
      case Slot.RECEIVE -> {
        inbox.ended();
        if (isSound(slot, endpoint.entryLength(entry))) {
          Peer peer = roster.peer(Frame.source(Slot.frame(slot)));
          int kind = Frame.kind(Slot.frame(slot));
          peer.shut |= kind == Frame.GOODBYE || kind == Frame.SHUT;
        }
        inbox.give(slot);
      }
      case Slot.SERVICE -> server.ended(slot, true);
      default -> outbox.ended(slot);
    }
  }

  /**
   * Reads what has ended, but leaves all of it to the next poll: but for the end of accesses to
   * registered memory, which somebody waits for who does not poll.
   */
  void noteAccesses() {
    if (unhandled > Endpoint.ENTRIES - Endpoint.BATCH) {
      return;
    }
    int first = unhandled;
    unhandled += Math.max(0, endpoint.read(first));
    for (int entry = first; entry < unhandled; entry++) {
      long slot = endpoint.entryIsNews(entry) ? 0 : endpoint.entrySlot(entry);
      if (slot != 0 && Slot.kind(slot) == Slot.SERVICE) {
        server.release(slot);
      }
    }
  }

  /** Reads what has ended, or takes what was read before. */
  private int readOn() {
    int entries = unhandled;
    unhandled = 0;
    if (entries == 0) {
      entries = endpoint.read(0);
      if (entries == Libfabric.EAVAIL) {
        error();
      }
    }
    return entries;
  }

  private boolean isSound(long slot, int length) {
    long frame = Slot.frame(slot);
    if (length < Frame.BRIEF_HEADER || Frame.token(frame) != token) {
      return false;
    }
    int payload = length - Frame.header(Frame.kind(frame));
    return Frame.source(frame) < roster.size()
        && payload >= Frame.rest(frame)
        && payload <= inbox.capacity();
  }
}
