package org.lacis.engine;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;

/** Messages that arrive at a device for an ordered matching engine, and are matched in order. */
final class InOrder {

  private final Incoming incoming;
  private final OperationTable table;
  private final Receives receives;
  private final Watch watch;

  InOrder(Incoming incoming, OperationTable table, Receives receives, Watch watch) {
    this.incoming = incoming;
    this.table = table;
    this.receives = receives;
    this.watch = watch;
  }

  /** A message, or the request for one; false if it cannot be taken now. */
  boolean arrived(
      Matching matching,
      long order,
      int source,
      long h0,
      long h1,
      long address,
      int length,
      long lease) {
    ArrivalOrder senders = Objects.requireNonNull(matching.arrivalOrder);
    if (!senders.tryHold(source)) {
      return false;
    }
    int distance = senders.distance(source, Frame.number(order));
    if (distance != 0) {
      boolean known = distance > 0;
      if (known) {
        senders.keep(source, kept(matching, order, source, h0, h1, address, length, lease));
        watch.early();
      }
      senders.letGo(source);
      matching.drainIfClosed();
      // A number that was there before comes from nobody who counts.
      return known || incoming.garbage(source, h0, lease);
    }
    if (Frame.kind(h0) == Frame.SKIP) {
      handOver(match(senders.advance(source), senders));
      return true;
    }
    long key = matching.key(0, source, Frame.tag(h0));
    boolean eager = Frame.kind(h0) == Frame.EAGER_SEND;
    MatchEntry found = eager ? matching.matcher.takeReceive(key, (int) order) : null;
    Operation message = null;
    if (found == null) {
      message = kept(matching, order, source, h0, h1, address, length, lease);
      found = matching.matcher.insertArrival(message);
    }
    if (found == Matcher.BUSY) {
      senders.letGo(source);
      if (message != null) {
        message.lease = 0;
        table.give(message);
      }
      return false;
    }
    Operation met = match(senders.advance(source), senders);
    if (found == null) {
      unexpected(matching);
    } else if (message == null) {
      receives.deliver((Operation) found, source, h0, address, length, lease);
    } else {
      receives.meet((Operation) found, message);
    }
    handOver(met);
    return true;
  }

  private void unexpected(Matching matching) {
    if (!matching.matchesLater()) {
      watch.unexpected();
    }
    matching.drainIfClosed();
  }

  private Operation kept(
      Matching matching,
      long order,
      int source,
      long h0,
      long h1,
      long address,
      int length,
      long lease) {
    Operation message = table.take();
    message.keep(source, h0, h1, address, length, lease);
    message.matcher = matching.matcher;
    message.key(matching.key(0, source, Frame.tag(h0)), (int) order);
    message.immediate = order;
    message.state = Operation.State.ARRIVAL;
    return message;
  }

  /** A message that came before its matching engine was made; any thread. */
  void unparked(Operation message, ArrivalOrder senders) {
    int source = message.rank;
    while (!senders.tryHold(source)) {
      Thread.yield();
    }
    if (senders.distance(source, Frame.number(message.immediate)) == 0) {
      handOver(match(message, senders));
    } else {
      senders.keep(source, message);
      senders.letGo(source);
    }
  }

  /**
   * Brings a message whose turn it is to its matcher, if there is one, and those that have waited
   * for it; the caller has the sender then, and has it no more afterwards.
   *
   * @return those that have met a receive, linked in their order: to be handed over when the sender
   *     is let go, as handlers may do anything
   */
  private @Nullable Operation match(@Nullable Operation first, ArrivalOrder senders) {
    Operation met = null;
    Operation last = null;
    for (Operation message = first; message != null; ) {
      // Its receive may take it, and give it back, as soon as it is in.
      int source = message.rank;
      boolean skipped = Frame.kind(message.h0) == Frame.SKIP;
      MatchEntry found = skipped ? null : insert(Objects.requireNonNull(message.matcher), message);
      Operation next = senders.advance(source);
      if (skipped) {
        message.table.give(message);
      } else if (found != null) {
        message.receive = (Operation) found;
        if (last == null) {
          met = message;
        } else {
          last.link = message;
        }
        last = message;
      }
      message = next;
    }
    return met;
  }

  private void handOver(@Nullable Operation met) {
    for (Operation message = met; message != null; ) {
      Operation next = message.link;
      message.link = null;
      receives.meet(Objects.requireNonNull(message.receive), message);
      message = next;
    }
  }

  private static @Nullable MatchEntry insert(Matcher matcher, Operation message) {
    MatchEntry found;
    while ((found = matcher.insertArrival(message)) == Matcher.BUSY) {
      Thread.yield();
    }
    return found;
  }
}
