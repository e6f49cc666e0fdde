package org.lacis.net.ofi;

import org.lacis.net.Memory;
import org.lacis.net.NetSink;

/**
 * What arrives at a device: receives that are posted, messages until the sink takes them, leases
 * until they end. The polling thread's; what asks libfabric, under the device's lock too.
 */
final class Inbox {

  /**
   * Receives that are posted, at least and at most, if the provider takes so many. They are used in
   * turn, so the fewer they are, the more of them are in caches.
   */
  private static final int LEAST = 32;

  private static final int MOST = 256;

  /** After so many times that a few were used, fewer are posted. */
  private static final int CALM = 1000;

  private final Endpoint endpoint;
  private final Roster roster;
  private final Slots slots;
  private final int least;
  private final int most;

  /** How many should be posted, and are. */
  private int target;

  private int posted;
  private int calm;

  /** Peers with messages that are to be delivered, from where the next poll goes on. */
  private int arrivals;

  private int next;

  /** Peers that should be told how much room they have. */
  private final int[] toTell;

  private int tells;

  Inbox(Endpoint endpoint, Roster roster, Slots slots) {
    this.endpoint = endpoint;
    this.roster = roster;
    this.slots = slots;
    this.most = Math.min(MOST, endpoint.provider().receiveDepth());
    this.least = Math.min(LEAST, most);
    this.target = least;
    this.toTell = new int[roster.size()];
  }

  /** The longest message, without the header, in bytes. */
  int capacity() {
    return slots.payload();
  }

  /** Whether so few receives are posted that more are needed soon. */
  boolean isLow() {
    return posted <= target * 3 / 4;
  }

  /** Posts receives, as many as there should be. */
  void refill() {
    if (posted < target) {
      adapt(target - posted);
    }
    while (posted < target) {
      long slot = slots.take();
      long result =
          endpoint.receive(
              Slot.frame(slot), Frame.HEADER + (long) slots.payload(), Slot.descriptor(slot), slot);
      if (result != 0) {
        slots.give(slot);
        return;
      }
      posted++;
    }
  }

  /** More receives if half of them were used at once, and fewer if few were for long. */
  private void adapt(int used) {
    if (used >= target / 2) {
      target = Math.min(2 * target, most);
      calm = 0;
    } else if (used > target / 8) {
      calm = 0;
    } else if (++calm == CALM) {
      target = Math.max(target / 2, least);
      calm = 0;
    }
  }

  /** A receive has ended. */
  void ended() {
    posted--;
  }

  /** A slot is not needed any more. */
  void give(long slot) {
    if (Slot.kind(slot) == Slot.LARGE) {
      slots.dropLarge(slot);
    } else {
      slots.give(slot);
    }
  }

  /** A slot for a packet of any length. */
  long makeLarge(long length) {
    return slots.makeLarge(length);
  }

  /** A message is there. */
  void add(Peer peer, long slot) {
    if (peer.arrivedFirst == 0) {
      arrivals++;
    }
    peer.arrived(slot);
  }

  /** A part of a packet is there; false if it is not the one that comes next, or too long. */
  boolean addPart(Peer peer, long slot) {
    long part = Slot.frame(slot);
    long whole = peer.parts;
    if (whole == 0) {
      peer.parts = slot;
      return Frame.h1(part) == 0;
    }
    boolean fits =
        Frame.h0(part) == Frame.h0(Slot.frame(whole))
            && Frame.h1(part) == Slot.length(whole)
            && join(whole, slot);
    give(slot);
    return fits;
  }

  /** A packet is there, or the last part of one; false if that is another one, or too long. */
  boolean addPacket(Peer peer, long slot) {
    long whole = peer.parts;
    if (whole == 0) {
      add(peer, slot);
      return true;
    }
    peer.parts = 0;
    boolean fits =
        Frame.h0(Slot.frame(whole)) == Frame.number(Slot.frame(slot)) && join(whole, slot);
    if (fits) {
      Memory.copy(Slot.frame(slot), Slot.frame(whole), Frame.HEADER);
      add(peer, whole);
    } else {
      give(whole);
    }
    give(slot);
    return fits;
  }

  /** A peer does not send the rest of what it has begun. */
  void giveParts(Peer peer) {
    if (peer.parts != 0) {
      give(peer.parts);
      peer.parts = 0;
    }
  }

  private boolean join(long whole, long slot) {
    int before = Slot.length(whole);
    int length = Slot.length(slot);
    if (length > slots.payload() - before) {
      return false;
    }
    Memory.copy(Slot.payload(slot), Slot.payload(whole) + before, length);
    Slot.length(whole, before + length);
    return true;
  }

  /** A mark is there, perhaps before what it stands behind. */
  void addMark(Peer peer, long slot) {
    if (isDue(peer, slot)) {
      add(peer, slot);
    } else {
      Slot.next(slot, peer.marks);
      peer.marks = slot;
    }
  }

  private static boolean isDue(Peer peer, long mark) {
    return peer.taken - Frame.number(Slot.frame(mark)) >= 0;
  }

  /** A message was taken: there is room for another, and perhaps a mark is due. */
  void taken(Peer peer) {
    peer.taken++;
    tellIfDue(peer);
    if (peer.marks != 0) {
      long mark = peer.marks;
      peer.marks = 0;
      while (mark != 0) {
        long after = Slot.next(mark);
        addMark(peer, mark);
        mark = after;
      }
    }
  }

  /** A packet will not be had: there is room for another. */
  void refused(Peer peer) {
    peer.released++;
    taken(peer);
  }

  private void tellIfDue(Peer peer) {
    if (!peer.telling && peer.wantsNews()) {
      peer.telling = true;
      toTell[tells++] = peer.rank;
    }
  }

  /** A peer wants to hear of room. */
  void wanted(Peer peer) {
    peer.wants = true;
    tellIfDue(peer);
  }

  /** Takes leases back that have ended. */
  void collect() {
    for (long slot = slots.returned(); slot != 0; ) {
      long after = Slot.next(slot);
      Peer peer = roster.peer(Slot.peer(slot));
      peer.released++;
      tellIfDue(peer);
      give(slot);
      slot = after;
    }
  }

  /** Tells peers how much room they have. */
  void tell(Outbox outbox) {
    while (tells > 0) {
      Peer peer = roster.peer(toTell[--tells]);
      peer.telling = false;
      if (peer.wantsNews()) {
        peer.wants = false;
        outbox.note(peer, Frame.CREDIT);
      }
    }
  }

  /** Hands messages to the sink, outside of the lock. Answers how many it took. */
  int deliver(NetSink sink, int limit) {
    int count = 0;
    int size = roster.size();
    for (int i = 0; i < size && arrivals > 0 && count < limit; i++) {
      Peer peer = roster.peer(next);
      next = next + 1 < size ? next + 1 : 0;
      if (peer.arrivedFirst != 0) {
        count += deliver(peer, sink, limit - count);
      }
    }
    return count;
  }

  private int deliver(Peer peer, NetSink sink, int limit) {
    int count = 0;
    while (count < limit) {
      long slot = peer.takeArrived();
      if (slot == 0) {
        break;
      }
      if (!hand(peer, sink, slot)) {
        return count;
      }
      if (peer.arrivedFirst == 0) {
        arrivals--;
      }
      count++;
      taken(peer);
    }
    return count;
  }

  /** Out of the list before the sink sees it: its lease may end before the sink returns. */
  private boolean hand(Peer peer, NetSink sink, long slot) {
    long frame = Slot.frame(slot);
    int kind = Frame.kind(frame);
    boolean lease = kind == Frame.PACKET;
    boolean taken = false;
    try {
      taken =
          sink.message(
              peer.rank,
              Frame.h0(frame),
              Frame.h1(frame),
              frame + Frame.header(kind),
              Slot.length(slot),
              lease ? slot : 0);
    } finally {
      if (!taken) {
        peer.putBack(slot);
      }
    }
    if (taken && !lease) {
      give(slot);
    }
    return taken;
  }
}
