package org.lacis.engine;

import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.MatchingPolicy;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;
import org.lacis.net.Memory;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;

/** Everything that arrives at a device; on the thread that polls, unless said otherwise. */
final class Incoming implements NetSink {

  private static final System.Logger LOG = System.getLogger("org.lacis");
  private static final int TAG_ONLY = MatchingPolicy.TAG_ONLY.ordinal();

  private final EngineDevice device;
  private final Engine engine;
  private final OperationTable table;
  private final IndexTable<Completion> completions;
  private final IndexTable<Matching> matchings;
  private final Pulls pulls;
  private final Receives receives;
  private final Watch watch;
  private final InOrder inOrder;

  /** Lent to handlers: arrivals are delivered by one thread at a time. */
  private final StatusRecord lent = new StatusRecord();

  Incoming(
      EngineDevice device, Engine engine, OperationTable table, Pulls pulls, Receives receives) {
    this.device = device;
    this.engine = engine;
    this.table = table;
    this.completions = engine.completions;
    this.matchings = engine.matchings;
    this.pulls = pulls;
    this.receives = receives;
    this.watch = device.watch;
    this.inOrder = new InOrder(this, table, receives, watch);
  }

  @Override
  public boolean message(int source, long h0, long h1, long address, int length, long lease) {
    if (Frame.isList(h0) && !isSound(h0, address, length, lease)) {
      return garbage(source, h0, lease);
    }
    return switch (Frame.kind(h0)) {
      case Frame.EAGER_AM ->
          counted(activeMessage(source, h0, h1, address, length, lease), length, lease);
      case Frame.EAGER_SEND ->
          counted(eager(source, h0, h1, address, length, lease), length, lease);
      case Frame.RTS_SEND -> request(source, h0, h1, address, length, lease);
      case Frame.RTS_AM -> activeRequest(source, h0, h1, address, length, lease);
      case Frame.FIN -> finished(source, h0, h1);
      case Frame.SIGNAL -> signal(source, h0, h1, address, length, lease);
      case Frame.BARRIER -> {
        engine.barrier.arrived(Frame.index(h0), Frame.tag(h0));
        yield true;
      }
      case Frame.FENCE -> {
        engine.fences.arrived();
        yield true;
      }
      case Frame.PARTING -> {
        engine.partings.arrived(Frame.index(h0), source, h1);
        yield true;
      }
      case Frame.SKIP -> skip(source, h0, h1, address, length);
      default -> garbage(source, h0, lease);
    };
  }

  /** A message of an ordered engine that does not come. */
  private boolean skip(int source, long h0, long h1, long address, int length) {
    Matching matching = matchings.get(Frame.index(h0));
    if (matching == null) {
      return park(matchings, source, h0, h1, address, length, 0);
    }
    return matching.arrivalOrder == null
        || !matching.takes(h0)
        || inOrder.arrived(matching, h1, source, h0, h1, address, length, 0);
  }

  private boolean counted(boolean taken, int length, long lease) {
    if (taken) {
      watch.received(length, lease);
    }
    return taken;
  }

  private boolean activeMessage(
      int source, long h0, long h1, long address, int length, long lease) {
    Completion completion = completions.get(Frame.index(h0));
    if (completion == null) {
      return park(completions, source, h0, h1, address, length, lease);
    }
    StatusRecord status = lent;
    status.arrival(source, Frame.tag(h0), length, address, lease, engine);
    status.immediate(h1);
    if (Frame.isList(h0)) {
      listed(status, source, h0, address, lease);
    }
    return hand(completion, status, source, h0);
  }

  private boolean hand(Completion completion, StatusRecord status, int source, long h0) {
    if (completion instanceof Bounded bounded) {
      if (!bounded.offer(status)) {
        status.undo();
        watch.heldUp(source, Frame.index(h0));
        return false;
      }
    } else {
      engine.signal(completion, status);
    }
    status.close();
    return true;
  }

  /** A put or get with signal is complete. */
  private boolean signal(int source, long h0, long bytes, long address, int length, long lease) {
    Completion completion = completions.get(Frame.index(h0));
    if (completion == null) {
      return park(completions, source, h0, bytes, address, length, lease);
    }
    signalled(lent, source, h0, bytes, address, length, lease);
    return hand(completion, lent, source, h0);
  }

  private void signalled(
      StatusRecord status, int source, long h0, long bytes, long address, int length, long lease) {
    status.arrival(source, Frame.tag(h0), bytes, 0, lease, engine);
    if (Frame.isList(h0)) {
      status.immediate(ListFrame.immediate(address));
      status.list(address, lease, engine);
    } else {
      status.immediate(length == Frame.IMMEDIATE_BYTES ? Memory.getLong(address) : 0);
    }
  }

  /** An active message that came as a list, in a packet. */
  private void listed(StatusRecord status, int source, long h0, long table, long lease) {
    long data = table + ListFrame.headBytes(table);
    status.arrival(source, Frame.tag(h0), ListFrame.total(table), data, lease, engine);
    status.list(table, lease, engine);
  }

  /** Lists travel in packets, so that they have a lease. */
  private static boolean isSound(long h0, long address, int length, long lease) {
    int kind = Frame.kind(h0);
    boolean eager = kind == Frame.EAGER_SEND || kind == Frame.EAGER_AM;
    return lease != 0 && ListFrame.isSound(address, length, eager);
  }

  private boolean eager(int source, long h0, long h1, long address, int length, long lease) {
    Matching matching = matchings.get(Frame.index(h0));
    if (matching == null) {
      return park(matchings, source, h0, h1, address, length, lease);
    }
    if (!matching.takes(h0)) {
      return refused(matching, source, h0, lease);
    }
    if (matching.arrivalOrder != null) {
      return inOrder.arrived(matching, h1, source, h0, h1, address, length, lease);
    }
    long key;
    try {
      key = matching.key(Frame.policy(h0), source, Frame.tag(h0));
    } catch (RuntimeException | Error e) {
      return keyless(matching, source, h0, lease, e);
    }
    MatchEntry found = matching.matcher.takeReceive(key, (int) h1);
    if (found == null) {
      return unexpected(matching, key, (int) h1, source, h0, h1, address, length, lease);
    }
    if (found == Matcher.BUSY) {
      return false;
    }
    receives.deliver((Operation) found, source, h0, address, length, lease);
    return true;
  }

  private boolean request(int source, long h0, long h1, long address, int length, long lease) {
    Matching matching = matchings.get(Frame.index(h0));
    if (length != Frame.RTS_BYTES && !Frame.isList(h0)) {
      return garbage(source, h0, lease);
    }
    if (matching == null) {
      return park(matchings, source, h0, h1, address, length, lease);
    }
    if (!matching.takes(h0)) {
      pulls.tell(source, h1, Pulls.CLOSED);
      return refused(matching, source, h0, lease);
    }
    long order = order(h0, h1, address);
    if (matching.arrivalOrder != null) {
      return inOrder.arrived(matching, order, source, h0, h1, address, length, lease);
    }
    long key;
    try {
      key = matching.key(Frame.policy(h0), source, Frame.tag(h0));
    } catch (RuntimeException | Error e) {
      pulls.tell(source, h1, Pulls.CLOSED);
      return keyless(matching, source, h0, lease, e);
    }
    return unexpected(matching, key, (int) order, source, h0, h1, address, length, lease);
  }

  /** The order of a message, or of the request for one. */
  private static long order(long h0, long h1, long address) {
    if (Frame.kind(h0) != Frame.RTS_SEND) {
      return h1;
    }
    return Frame.isList(h0)
        ? ListFrame.immediate(address)
        : Memory.getLong(address + Frame.RTS_IMMEDIATE);
  }

  /** Keeps a message in the matcher, unless a receive is there by now. */
  private boolean unexpected(
      Matching matching,
      long key,
      int hash,
      int source,
      long h0,
      long h1,
      long address,
      int length,
      long lease) {
    Operation message = table.take();
    message.keep(source, h0, h1, address, length, lease);
    message.matcher = matching.matcher;
    message.key(key, hash);
    message.state = Operation.State.ARRIVAL;
    MatchEntry found = matching.matcher.insertArrival(message);
    if (found == null) {
      if (!matching.matchesLater()) {
        watch.unexpected();
      }
      matching.drainIfClosed();
      return true;
    }
    if (found == Matcher.BUSY) {
      message.lease = 0;
      table.give(message);
      return false;
    }
    receives.meet((Operation) found, message);
    return true;
  }

  private boolean activeRequest(
      int source, long h0, long h1, long address, int length, long lease) {
    if (length != Frame.RTS_BYTES && !Frame.isList(h0)) {
      return garbage(source, h0, lease);
    }
    if (completions.get(Frame.index(h0)) == null) {
      return park(completions, source, h0, h1, address, length, lease);
    }
    Operation message = table.take();
    message.keep(source, h0, h1, address, length, lease);
    pulls.startActive(message);
    return true;
  }

  private boolean finished(int source, long h0, long h1) {
    boolean taken = finish(source, h0, h1);
    device.partners.answerCame(source, Frame.index(h0) == Pulls.ALONG);
    return taken;
  }

  private boolean finish(int source, long h0, long h1) {
    Operation op = table.find(h1);
    if (op == null || op.state != Operation.State.SEND || op.rank != source) {
      // The news that its device is closed may have ended a send whose data the network was at.
      return Frame.index(h0) == Pulls.ALONG || garbage(source, h0, 0);
    }
    device.requests.deregister(op);
    CommunicationException error = Pulls.error(Frame.index(h0), source);
    device.complete(op, source, Frame.tag(op.h0), error == null ? op.length : 0, error);
    return true;
  }

  /** Keeps a message whose number nobody has registered yet. */
  private <T> boolean park(
      IndexTable<T> numbers, int source, long h0, long h1, long address, int length, long lease) {
    Operation message = table.take();
    message.keep(source, h0, h1, address, length, lease);
    message.state = Operation.State.ARRIVAL;
    if (!numbers.park(Frame.index(h0), message)) {
      // Registered a moment ago: the next poll finds it.
      message.lease = 0;
      table.give(message);
      return false;
    }
    watch.early();
    return true;
  }

  /** Delivers a message whose completion object was registered after it came; any thread. */
  void unpark(Operation message, Completion completion) {
    if (Frame.kind(message.h0) == Frame.RTS_AM) {
      pulls.startActive(message);
      return;
    }
    StatusRecord status = message.status;
    int source = message.rank;
    long h0 = message.h0;
    long address = message.payload;
    if (Frame.kind(h0) == Frame.SIGNAL) {
      int length = (int) message.length;
      signalled(status, source, h0, message.peerOperation, address, length, message.lease);
    } else {
      status.arrival(source, message.tag, message.length, address, message.lease, engine);
      status.immediate(message.peerOperation);
      if (Frame.isList(h0)) {
        listed(status, source, h0, address, message.lease);
      }
    }
    engine.signal(completion, status);
    table.give(message);
  }

  /** Matches a message that came before its matching engine was made; any thread. */
  void unpark(Operation message, Matching matching) {
    if (!matching.takes(message.h0)) {
      if (Frame.kind(message.h0) == Frame.RTS_SEND) {
        pulls.tell(message.rank, message.peerOperation, Pulls.CLOSED);
      }
      refused(matching, message.rank, message.h0, message.lease);
      table.give(message);
      return;
    }
    long order = order(message.h0, message.peerOperation, message.payload);
    message.matcher = matching.matcher;
    try {
      message.key(matching.key(Frame.policy(message.h0), message.rank, message.tag), (int) order);
    } catch (RuntimeException | Error e) {
      keyless(matching, message.rank, message.h0, 0, e);
      device.dropWaiting(message);
      return;
    }
    message.immediate = order;
    if (matching.arrivalOrder != null) {
      inOrder.unparked(message, matching.arrivalOrder);
      return;
    }
    MatchEntry found;
    while ((found = matching.matcher.insertArrival(message)) == Matcher.BUSY) {
      Thread.yield();
    }
    if (found != null) {
      receives.meet((Operation) found, message);
    }
  }

  /** Drops a message that its engine does not take: it is closed, or unlike that of the sender. */
  private boolean refused(Matching matching, int source, long h0, long lease) {
    if (!matching.closed && Frame.isOfStyle(h0, matching.style)) {
      return garbage(source, h0, lease);
    }
    engine.release(lease);
    if (matching.isNews(source)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "rank {0} drops what rank {1} sends by matching engine {2}, beginning with a message with"
              + " the tag {3}: {4}",
          engine.rank(),
          source,
          matching.described(),
          Frame.tag(h0),
          matching.closed
              ? "it is closed"
              : "there that engine is "
                  + Matching.described(Frame.hints(h0))
                  + ". All ranks make their engines in the same order, with the same kind and"
                  + " hints: see MatchingOptions");
    }
    return true;
  }

  /** Drops a message for which the user's function has no key. */
  private boolean keyless(Matching matching, int source, long h0, long lease, Throwable why) {
    engine.release(lease);
    LOG.log(
        System.Logger.Level.ERROR,
        "rank %d drops a message from rank %d with the tag %d: the key function of matching engine %s has thrown"
            .formatted(engine.rank(), source, Frame.tag(h0), matching.described()),
        why);
    return true;
  }

  boolean garbage(int source, long h0, long lease) {
    engine.release(lease);
    LOG.log(
        System.Logger.Level.WARNING,
        "rank {0} drops a message from rank {1} that nobody here can take: {2}",
        engine.rank(),
        source,
        Long.toHexString(h0));
    return true;
  }

  @Override
  public void completed(long cookie, int result) {
    Operation op = table.find((int) cookie);
    if (op == null) {
      return;
    }
    if (op.inPieces) {
      device.pieces.ended(op, result);
    } else if (op.state == Operation.State.PULL) {
      pulls.ended(op, result);
    } else if (op.state == Operation.State.TRANSFER) {
      CommunicationException error = Errors.of(result, op.rank);
      device.complete(op, op.rank, Frame.tag(op.h0), error == null ? op.length : 0, error);
    }
  }

  @Override
  public void peerGone(int peer, PeerEnd how) {
    device.gone(peer);
    engine.failures.gone(peer, how);
    table.forEach(op -> failIfWaitsFor(op, peer));
  }

  private void failIfWaitsFor(Operation op, int peer) {
    long use = op.wireId();
    if (op.rank != peer) {
      return;
    }
    if (table.claim(op, use)) {
      device.requests.deregister(op);
      device.complete(op, peer, Frame.tag(op.h0), 0, engine.failures.error(peer));
    } else if (op.state == Operation.State.RECEIVE && Frame.policy(op.h0) != TAG_ONLY) {
      receives.failIfFrom(op, use, peer);
    }
  }
}
