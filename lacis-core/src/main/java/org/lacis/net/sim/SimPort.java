package org.lacis.net.sim;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.lacis.net.NetDevice;
import org.lacis.net.PeerEnd;

/**
 * What the fabric knows about the k-th device of a rank. It is there before the device is opened,
 * so that what arrives early waits for it.
 */
final class SimPort {

  final SimFabric fabric;
  final int rank;

  /** Which of the rank's devices, from 0. */
  final int index;

  /** When the device can send again, in nanoseconds. */
  long egressFree;

  /** When the last message was in, in nanoseconds; long ago at first. */
  long ingressLast = Long.MIN_VALUE / 2;

  /** The time at which a poll last had nothing to deliver, in nanoseconds, or -1. */
  long idleAt = -1;

  private final Map<Integer, SimLink> links = new HashMap<>();
  private final Deque<SimMail> ready = new ArrayDeque<>();
  private final Set<SimTransfer> pending = new LinkedHashSet<>();

  /** Peers that posting to is refused. */
  private final BitSet gone = new BitSet();

  private boolean open;
  private boolean closed;

  SimPort(SimFabric fabric, int rank, int index) {
    this.fabric = fabric;
    this.rank = rank;
    this.index = index;
  }

  void open() {
    open = true;
    noteDue();
  }

  /** Nothing is delivered any more; what was not is given back. */
  void close() {
    closed = true;
    ready.forEach(this::discard);
    ready.clear();
    pending.clear();
    fabric.due.remove(this);
  }

  boolean isClosed() {
    return closed;
  }

  SimLink link(int source) {
    return links.computeIfAbsent(source, SimLink::new);
  }

  boolean isGone(int peer) {
    return gone.get(peer);
  }

  /** How many puts and gets are under way. */
  int pending() {
    return pending.size();
  }

  void begin(SimTransfer transfer) {
    pending.add(transfer);
  }

  /** Ends a put or get, unless something else has ended it before. */
  void end(SimTransfer transfer, int result) {
    if (pending.remove(transfer)) {
      add(new SimMail.Completion(transfer.cookie, result));
      landed(link(transfer.peer));
    }
  }

  /** Adds what the next poll delivers. */
  void add(SimMail mail) {
    if (closed) {
      discard(mail);
    } else {
      ready.add(mail);
      noteDue();
    }
  }

  private void discard(SimMail mail) {
    if (mail instanceof SimMail.Message message) {
      message.drop();
    }
  }

  private void noteDue() {
    if (open && !closed && !ready.isEmpty()) {
      fabric.due.add(this);
    }
  }

  boolean isDue() {
    return !ready.isEmpty();
  }

  /** Takes everything out, for a poll. */
  Deque<SimMail> take() {
    Deque<SimMail> taken = new ArrayDeque<>(ready);
    ready.clear();
    fabric.due.remove(this);
    return taken;
  }

  /** Puts back what a poll did not deliver, in front of what has come since. */
  void putBack(Deque<SimMail> rest) {
    while (!rest.isEmpty()) {
      SimMail last = rest.removeLast();
      if (closed) {
        discard(last);
      } else {
        ready.addFirst(last);
      }
    }
    noteDue();
  }

  /**
   * A peer is gone: nothing more is posted to it. The news follows its last message, and the end of
   * the last transfer that has touched its memory.
   */
  void peerGone(int peer, PeerEnd how) {
    if (closed || gone.get(peer)) {
      return;
    }
    gone.set(peer);
    for (SimTransfer transfer : pending.toArray(SimTransfer[]::new)) {
      if (transfer.peer == peer && !transfer.executed) {
        end(transfer, NetDevice.PEER_GONE);
      }
    }
    SimLink link = link(peer);
    link.closing = how;
    landed(link);
  }

  /** Something has come in from a peer, or a transfer has ended. */
  void landed(SimLink link) {
    PeerEnd how = link.closing;
    if (how != null
        && link.isEmpty()
        && pending.stream().noneMatch(transfer -> transfer.peer == link.source)) {
      link.closing = null;
      add(new SimMail.Gone(link.source, how));
    }
  }
}
