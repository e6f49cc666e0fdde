package org.lacis.trace.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which message each receive of a rank has got. Messages of one sender in one
 * communicator with one tag are received in the order they were sent; whom a receive with a
 * wildcard has heard from, its status tells when it is complete. Without a status that is not
 * known, nor is it of like receives after it.
 *
 * <p>Only what waits is kept: messages that no receive has got, and receives that are not complete
 * or were posted after such a one that may have got the same messages.
 */
final class Pairing {
  /** Messages of one key. */
  private static final class Flow {
    /** On their way. */
    int under;

    /** Arrived, and not known to be received. */
    int there;

    /** Their numbers, of those that no receive has got. */
    final Deque<Integer> numbers = new ArrayDeque<>();
  }

  private final int engines;
  private final int mostUnsettled;
  private final Map<Key, Flow> flows = new HashMap<>();

  /** Receives that are not settled, by how they were posted. */
  private final Map<Key, Deque<Receive>> queues = new HashMap<>();

  /** Those of these queues whose first receive is complete, and after one that may precede it. */
  private final Set<Key> stuck = new LinkedHashSet<>();

  /** All receives from the oldest on that is not settled. */
  private final Deque<Receive> order = new ArrayDeque<>();

  /** By number: those of which something is still to be told. */
  private final Map<Integer, Receive> alive = new HashMap<>();

  /** Receives of which nobody knows what they got: like ones after them may have got anything. */
  private final Set<Key> open = new HashSet<>();

  long paired;

  /** By engine: receives that got the message they got when recorded. */
  final long[] asRecorded;

  /**
   * With nothing.
   *
   * @param mostUnsettled if more receives than this wait for one that is not complete, it is given
   *     up
   */
  Pairing(int engines, int mostUnsettled) {
    this.engines = engines;
    this.mostUnsettled = mostUnsettled;
    asRecorded = new long[engines];
  }

  // ---- messages

  void sent(Key key, int number) {
    Flow flow = flows.computeIfAbsent(key, k -> new Flow());
    flow.under++;
    if (!isOpen(key)) {
      flow.numbers.add(number);
    }
  }

  void arrived(Key key) {
    Flow flow = flows.get(key);
    if (flow != null) {
      flow.under--;
      flow.there++;
      forgetIfIdle(key, flow);
    }
  }

  /** Whether a message of a key has arrived that is not known to be received. */
  boolean isThere(Key key) {
    Flow flow = flows.get(key);
    return flow != null && flow.there > 0;
  }

  boolean isUnderWay(Key key) {
    Flow flow = flows.get(key);
    return flow != null && flow.under > 0;
  }

  /** Whether it can be told what receives of a key have got. */
  boolean isKnown(Key key) {
    return !isOpen(key);
  }

  private boolean isOpen(Key key) {
    return !open.isEmpty()
        && (open.contains(key.anySource())
            || open.contains(key.anyTag())
            || open.contains(key.anything()));
  }

  private void forgetIfIdle(Key key, Flow flow) {
    if (flow.under == 0 && flow.numbers.isEmpty() && (flow.there == 0 || isOpen(key))) {
      flows.remove(key);
    }
  }

  // ---- receives

  void posted(Receive receive) {
    alive.put(receive.number, receive);
    queues.computeIfAbsent(receive.posted, k -> new ArrayDeque<>()).add(receive);
    order.add(receive);
    while (order.size() > mostUnsettled) {
      // Nobody has waited for it for long: what it got stays unknown.
      Receive oldest = order.getFirst();
      oldest.done = true;
      settle(oldest.posted);
      if (!oldest.settled) {
        throw new IllegalStateException("receive " + oldest.number + " is first, and waits");
      }
    }
  }

  @Nullable Receive receive(int number) {
    return alive.get(number);
  }

  /** A receive is complete, and has got a message of a key; null if that is not known. */
  void done(Receive receive, @Nullable Key got) {
    if (got != null) {
      Flow flow = flows.get(got);
      if (flow != null && flow.there > 0) {
        flow.there--;
        forgetIfIdle(got, flow);
      }
    }
    receive.got = got;
    receive.done = true;
    settle(receive.posted);
  }

  /** A receive was cancelled, or one from nobody. */
  void gone(Receive receive) {
    receive.gone = true;
    receive.done = true;
    settle(receive.posted);
  }

  /** After everything: receives that never were complete. */
  void finish() {
    for (Receive receive : List.copyOf(order)) {
      receive.done = true;
    }
    while (!order.isEmpty()) {
      settle(order.getFirst().posted);
    }
  }

  /** A receive has got a message when played again. */
  void met(int engine, int number, int message) {
    Receive receive = alive.get(number);
    if (receive == null) {
      return;
    }
    receive.met[engine] = message;
    receive.meetings++;
    if (receive.settled) {
      asRecorded[engine] += receive.message == message ? 1 : 0;
      forgetIfTold(receive);
    }
  }

  private void forgetIfTold(Receive receive) {
    if (receive.gone || receive.message == Receive.NONE || receive.meetings == engines) {
      alive.remove(receive.number);
    }
  }

  /** Settles what can be, beginning with receives that were posted as one that is complete. */
  private void settle(Key posted) {
    boolean moved = settleQueue(posted);
    while (moved && !stuck.isEmpty()) {
      moved = false;
      for (Key key : new ArrayList<>(stuck)) {
        moved |= settleQueue(key);
      }
    }
    while (!order.isEmpty() && order.getFirst().settled) {
      order.removeFirst();
    }
  }

  private boolean settleQueue(Key posted) {
    Deque<Receive> queue = queues.get(posted);
    boolean moved = false;
    stuck.remove(posted);
    while (queue != null && !queue.isEmpty() && queue.getFirst().done) {
      Receive receive = queue.getFirst();
      if (!isFirst(receive)) {
        stuck.add(posted);
        return moved;
      }
      queue.removeFirst();
      settle(receive);
      moved = true;
    }
    if (queue != null && queue.isEmpty()) {
      queues.remove(posted);
    }
    return moved;
  }

  /** Whether no receive before it may have got the same messages. */
  private boolean isFirst(Receive receive) {
    Key key = key(receive);
    return receive.gone
        || key.isOpen()
        || (isFirst(receive, key)
            && isFirst(receive, key.anySource())
            && isFirst(receive, key.anyTag())
            && isFirst(receive, key.anything()));
  }

  private boolean isFirst(Receive receive, Key posted) {
    Deque<Receive> queue = queues.get(posted);
    return queue == null || queue.isEmpty() || queue.getFirst().number >= receive.number;
  }

  private static Key key(Receive receive) {
    return receive.got == null ? receive.posted : receive.got;
  }

  private void settle(Receive receive) {
    receive.settled = true;
    Key key = key(receive);
    if (!receive.gone) {
      if (key.isOpen()) {
        if (open.add(key)) {
          flows.forEach((k, flow) -> clearIf(key.mayGet(k), flow));
        }
      } else if (!isOpen(key)) {
        Flow flow = flows.get(key);
        Integer message = flow == null ? null : flow.numbers.poll();
        if (flow != null && message != null) {
          receive.message = message;
          paired++;
          forgetIfIdle(key, flow);
        }
      }
    }
    for (int engine = 0; engine < engines; engine++) {
      if (receive.message != Receive.NONE && receive.met[engine] == receive.message) {
        asRecorded[engine]++;
      }
    }
    forgetIfTold(receive);
  }

  private static void clearIf(boolean cleared, Flow flow) {
    if (cleared) {
      flow.numbers.clear();
    }
  }
}
