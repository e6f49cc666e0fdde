package org.lacis.net.ofi;

import org.jspecify.annotations.Nullable;
import org.lacis.net.NetDevice;
import org.lacis.net.PeerEnd;
import org.lacis.net.Silence;

/** What a device knows of one rank. */
final class Peer {

  final int rank;

  /** What libfabric knows it by. */
  final long address;

  /** The longest message it receives, without the header, in bytes. */
  final int capacity;

  /** Its process, if that can be watched. */
  final @Nullable PeerProcess process;

  private final Silence silence;

  /** How many messages, and how many packets, it may have that it has not taken, or released. */
  private final int window;

  /** The same of this rank, as the peer has it. */
  private final int itsWindow;

  // Under the device's lock.

  /** Counted messages sent to it, and how many of those it is known to have taken. */
  int sent;

  int sentTaken;

  /** Packets sent to it, and how many of those it is known to have released. */
  int packets;

  int packetsReleased;

  /** Frames that wait until libfabric takes them, oldest first. */
  long waitingFirst;

  long waitingLast;

  /** Whether it was told that there is no room, since there was some. */
  boolean asked;

  /** Whether anything was sent to it or came from it. */
  boolean known;

  /** Whether anything came from it; and since it was looked at last. */
  boolean heard;

  boolean heardAgain;

  /** Posting is refused: how it has gone, or null. */
  @Nullable PeerEnd gone;

  /** It has closed its device, and sends nothing more. */
  boolean shut;

  /** What it was told last of {@link #taken} and {@link #released}. */
  int takenTold;

  int releasedTold;

  /** Whether it wants to hear of any room. */
  boolean wants;

  /** Whether it is in the list of those to be told. */
  boolean telling;

  // The polling thread's; others read them a little late.

  /** Counted messages that have come from it, and how many of them were packets. */
  private int come;

  private int packetsCome;

  /** How many messages from it were taken, and how many packets released. */
  int taken;

  int released;

  /** Messages from it that are to be delivered, oldest first. */
  long arrivedFirst;

  long arrivedLast;

  /** What has come of a packet in parts, or 0. */
  long parts;

  /** Marks from it that came before what they stand behind. */
  long marks;

  /** It has said goodbye after so many messages. */
  boolean leaving;

  int last;

  /** The sink knows that it is gone. */
  boolean reported;

  Peer(
      int rank,
      long address,
      int capacity,
      int window,
      int itsWindow,
      long detectionNanos,
      @Nullable PeerProcess process) {
    this.rank = rank;
    this.address = address;
    this.capacity = capacity;
    this.window = window;
    this.itsWindow = itsWindow;
    this.silence = new Silence(detectionNanos);
    this.process = process;
  }

  /** Whether a message may be sent to it now. */
  int room() {
    if (gone != null) {
      return NetDevice.PEER_GONE;
    }
    return sent - sentTaken < window ? NetDevice.OK : NetDevice.FULL;
  }

  /** Whether a packet may be sent to it now. */
  int packetRoom() {
    int room = room();
    return room == NetDevice.OK && packets - packetsReleased >= window ? NetDevice.FULL : room;
  }

  /** Takes note of a counted message; whether it had room for it, as it must know by itself. */
  boolean admit(int kind) {
    come++;
    if (kind == Frame.PACKET || kind == Frame.LARGE) {
      packetsCome++;
    }
    return come - taken <= itsWindow && packetsCome - released <= itsWindow;
  }

  /** Takes note of what a frame from it says. */
  void hear(long frame) {
    known = true;
    heard = true;
    // Of one that has said goodbye, only what it sent before is waited for.
    heardAgain |= !leaving || Frame.kind(frame) <= Frame.LAST_COUNTED;
    // Frames may overtake each other: what is older says nothing new.
    if (Frame.taken(frame) - sentTaken > 0) {
      sentTaken = Frame.taken(frame);
      asked = false;
    }
    if (Frame.kind(frame) != Frame.BRIEF && Frame.released(frame) - packetsReleased > 0) {
      packetsReleased = Frame.released(frame);
      asked = false;
    }
  }

  /** Whether it has been silent for too long; one that was never heard of has a reason to be. */
  boolean isSilent(long now) {
    boolean again = heardAgain || !heard;
    heardAgain = false;
    return silence.isTooLong(now, again);
  }

  /** Whether it should be told how much room it has. */
  boolean wantsNews() {
    int news = Math.max(taken - takenTold, released - releasedTold);
    return news >= window / 2 || (wants && news > 0);
  }

  /** Adds a message to those that are to be delivered. */
  void arrived(long slot) {
    Slot.next(slot, 0);
    if (arrivedFirst == 0) {
      arrivedFirst = slot;
    } else {
      Slot.next(arrivedLast, slot);
    }
    arrivedLast = slot;
  }

  /** Takes the oldest out, or 0. */
  long takeArrived() {
    long slot = arrivedFirst;
    if (slot != 0) {
      arrivedFirst = Slot.next(slot);
    }
    return slot;
  }

  /** Puts the oldest back. */
  void putBack(long slot) {
    Slot.next(slot, arrivedFirst);
    if (arrivedFirst == 0) {
      arrivedLast = slot;
    }
    arrivedFirst = slot;
  }

  /** Whether everything it has sent was delivered, as far as it will come. */
  boolean isDelivered() {
    return arrivedFirst == 0 && (!leaving || taken - last >= 0);
  }
}
