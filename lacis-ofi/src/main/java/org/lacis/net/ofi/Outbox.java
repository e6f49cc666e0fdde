package org.lacis.net.ofi;

import java.lang.foreign.MemorySegment;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;
import org.lacis.net.PacketStack;

/**
 * Everything a device sends. What libfabric cannot take at once waits here, in order for each peer,
 * and is tried again by every poll: it needs room, or a connection first. All of it under the
 * device's lock.
 */
final class Outbox {

  /** A packet goes in so many parts at most, if each is copied by libfabric as it is sent. */
  private static final int MOST_PARTS = 3;

  /** Where parts are shorter than this, packets do not go in parts. */
  private static final int LEAST_PART = 1024;

  /** Signs of life under way at most, of a device that is not polled. */
  private static final int MOST_BEATS = 1024;

  private final Endpoint endpoint;
  private final long injectSize;

  /** The longest part of a packet, without header; 0 if there are none. */
  private final int partBytes;

  private final int copyLimit;

  private final int rank;
  private final long token;
  private final Roster roster;
  private final PacketStack returns;
  private final HeapDescriptors heap;

  /** With room for a frame. */
  private final Slots frames;

  /** For packets, which have their frame with them. */
  private final Slots heads;

  /** Frames that wait. */
  private int waiting;

  /** Sends that libfabric has not ended yet. */
  private int underWay;

  Outbox(
      Endpoint endpoint,
      int rank,
      long token,
      Roster roster,
      Slots frames,
      Slots heads,
      PacketStack returns,
      HeapDescriptors heap) {
    this.endpoint = endpoint;
    this.injectSize = endpoint.provider().injectSize();
    long part = injectSize - Frame.HEADER;
    boolean parts = endpoint.provider().inOrder() && part >= LEAST_PART;
    this.partBytes = parts ? (int) part : 0;
    this.copyLimit = Math.clamp(part, 0, frames.payload());
    this.rank = rank;
    this.token = token;
    this.roster = roster;
    this.frames = frames;
    this.heads = heads;
    this.returns = returns;
    this.heap = heap;
  }

  /** As {@link NetDevice#inject}, of a kind of message. */
  int message(
      Peer peer, int kind, long h0, long h1, MemorySegment payload, long offset, int length) {
    int form = kind == Frame.MESSAGE && h1 == 0 ? Frame.BRIEF : kind;
    return copy(peer, peer.room(), form, h0, h1, payload, offset, length);
  }

  /** As {@link NetDevice#copyLimit}: what fits into a frame that libfabric copies as it is sent. */
  int copyLimit(Peer peer) {
    return Math.min(copyLimit, peer.capacity);
  }

  /** As {@link NetDevice#sendCopy}. */
  int packetCopy(Peer peer, long h0, long h1, MemorySegment payload, long offset, int length) {
    int room = peer.packetRoom();
    int answer = copy(peer, room, Frame.PACKET, h0, h1, payload, offset, length);
    if (answer == NetDevice.OK) {
      peer.packets++;
    }
    return answer;
  }

  private int copy(
      Peer peer,
      int room,
      int form,
      long h0,
      long h1,
      MemorySegment payload,
      long offset,
      int length) {
    if (room != NetDevice.OK) {
      return refuse(peer, room);
    }
    long slot = frames.take();
    try {
      Memory.copyIn(payload, offset, Slot.frame(slot) + Frame.header(form), length);
    } catch (RuntimeException | Error e) {
      frames.give(slot);
      throw e;
    }
    send(peer, slot, form, h0, h1, length);
    return NetDevice.OK;
  }

  /** As {@link NetDevice#sendPacket}, of one that fits into the peer's receives. */
  int packet(Peer peer, long h0, long h1, long packet, int length) {
    int room = peer.packetRoom();
    if (room != NetDevice.OK) {
      return refuse(peer, room);
    }
    long slot = heads.take();
    Slot.kind(slot, Slot.PACKET);
    Slot.more(slot, packet);
    Slot.sent(slot, 0);
    Slot.descriptor(slot, heap.descriptor(packet));
    peer.packets++;
    send(peer, slot, Frame.PACKET, h0, h1, length);
    return NetDevice.OK;
  }

  /** Lets a peer know that this rank waits for room; once, until there is some. */
  int refuse(Peer peer, int room) {
    if (room == NetDevice.FULL && !peer.asked) {
      peer.asked = true;
      note(peer, Frame.WANT);
    }
    return room;
  }

  /**
   * Gives all peers a sign of life. Those that something waits for, and those nothing was ever said
   * to, are passed over; so are all, if libfabric has ended none of the last ones.
   */
  void beat() {
    for (Peer peer : roster.peers()) {
      boolean listens = peer.known && peer.gone == null && !peer.shut;
      if (listens && peer.waitingFirst == 0 && underWay < MOST_BEATS) {
        note(peer, Frame.CREDIT);
      }
    }
  }

  /** Sends a frame without payload that needs no room. */
  void note(Peer peer, int kind) {
    send(peer, frames.take(), kind, 1, 0, 0);
  }

  /** Tells a peer that was given up, and is there all the same. If it is lost, it is said again. */
  void expel(Peer peer) {
    long slot = frames.take();
    Frame.write(Slot.frame(slot), 1, 0, token, Frame.GIVEN_UP, rank, peer);
    Slot.peer(slot, peer.rank);
    Slot.length(slot, 0);
    if (!attempt(peer, slot)) {
      dispose(slot);
    }
  }

  /** A slot to put a frame into. */
  long take() {
    return frames.take();
  }

  /** A slot that was taken for nothing. */
  void give(long slot) {
    frames.give(slot);
  }

  /**
   * Sends a frame, now or when it can be.
   *
   * @param slot from {@link #take}, with its payload
   */
  void send(Peer peer, long slot, int kind, long h0, long h1, int length) {
    Slot.length(slot, length);
    long frame = isInParts(slot) ? Slot.frame(slot) : frame(slot);
    Frame.write(frame, h0, h1, token, kind, rank, peer);
    if (kind <= Frame.LAST_COUNTED) {
      peer.sent++;
    }
    peer.takenTold = peer.taken;
    if (kind != Frame.BRIEF) {
      peer.releasedTold = peer.released;
    }
    peer.known = true;
    Slot.peer(slot, peer.rank);
    if (peer.gone != null) {
      dispose(slot);
    } else if (peer.waitingFirst != 0 || !attempt(peer, slot)) {
      append(peer, slot);
    }
  }

  private void append(Peer peer, long slot) {
    Slot.next(slot, 0);
    if (peer.waitingFirst == 0) {
      peer.waitingFirst = slot;
    } else {
      Slot.next(peer.waitingLast, slot);
    }
    peer.waitingLast = slot;
    waiting++;
  }

  private static long frame(long slot) {
    return Slot.kind(slot) == Slot.PACKET ? Slot.more(slot) - Frame.HEADER : Slot.frame(slot);
  }

  /**
   * Whether a packet is too long to be copied as it is sent, but not by much: libfabric has more to
   * do for what it does not copy than for some copies.
   */
  private boolean isInParts(long slot) {
    int length = Slot.length(slot);
    return Slot.kind(slot) == Slot.PACKET && length > partBytes && length <= MOST_PARTS * partBytes;
  }

  /**
   * Sends a packet in parts, of which the last is a frame as that of other packets. The header of
   * each is put in front of it, over the end of the one before, which has gone.
   */
  private boolean attemptParts(Peer peer, long slot) {
    int length = Slot.length(slot);
    for (int sent = Slot.sent(slot); ; ) {
      int part = Math.min(length - sent, partBytes);
      boolean last = sent + part == length;
      long frame = Slot.more(slot) + sent - Frame.HEADER;
      if (last) {
        Memory.copy(Slot.frame(slot), frame, Frame.HEADER);
      } else {
        int number = Frame.number(Slot.frame(slot));
        Frame.write(frame, number, sent, token, Frame.PART, rank, peer);
      }
      long result = endpoint.inject(frame, Frame.HEADER + (long) part, peer.address);
      if (result == Libfabric.EAGAIN) {
        Slot.sent(slot, sent);
        return false;
      }
      if (last || result != 0) {
        dispose(slot);
        if (result != 0) {
          roster.failed(peer, (int) result);
        }
        return true;
      }
      sent += part;
    }
  }

  /** Whether a frame need not be tried again. */
  private boolean attempt(Peer peer, long slot) {
    if (isInParts(slot)) {
      return attemptParts(peer, slot);
    }
    long frame = frame(slot);
    long length = Frame.header(Frame.kind(frame)) + (long) Slot.length(slot);
    long result;
    if (length <= injectSize) {
      result = endpoint.inject(frame, length, peer.address);
      if (result == 0) {
        dispose(slot);
        return true;
      }
    } else {
      result = endpoint.send(frame, length, Slot.descriptor(slot), peer.address, slot);
      if (result == 0) {
        underWay++;
        return true;
      }
    }
    if (result == Libfabric.EAGAIN) {
      return false;
    }
    dispose(slot);
    roster.failed(peer, (int) result);
    return true;
  }

  /** Libfabric is done with a frame. */
  void ended(long slot) {
    underWay--;
    dispose(slot);
  }

  private void dispose(long slot) {
    if (Slot.kind(slot) == Slot.PACKET) {
      returns.give(Slot.more(slot));
      heads.give(slot);
    } else {
      frames.give(slot);
    }
  }

  /** Whether anything waits. */
  boolean isWaiting() {
    return waiting != 0;
  }

  /** Whether everything is sent, as far as libfabric tells. */
  boolean isEmpty() {
    return waiting == 0 && underWay == 0;
  }

  /** Tries again what waits. */
  void flush() {
    for (Peer peer : roster.peers()) {
      while (peer.waitingFirst != 0 && peer.gone == null) {
        long slot = peer.waitingFirst;
        long next = Slot.next(slot);
        if (!attempt(peer, slot)) {
          break;
        }
        peer.waitingFirst = next;
        waiting--;
      }
    }
  }

  /** Forgets what waits for a peer that is gone. */
  void abandon(Peer peer) {
    while (peer.waitingFirst != 0) {
      long slot = peer.waitingFirst;
      peer.waitingFirst = Slot.next(slot);
      waiting--;
      dispose(slot);
    }
  }
}
