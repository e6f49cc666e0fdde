package org.lacis.net.ofi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.lacis.net.Memory;

/**
 * A piece of native memory behind everything that libfabric is asked to do and tells the end of: a
 * receive, a send, a transfer. It is known by its address, which libfabric hands back.
 *
 * <pre>
 *    0  64 bytes of libfabric, while the request is under way
 *   64  int: what it is
 *   68  int: the peer
 *   72  long: the next slot of a list, 0 at the end
 *   80  long: more, by kind
 *   88  long: the descriptor of its memory
 *   96  long: the word that a lease on it is given back to
 *  104  int: bytes of payload
 *  108  int: how many of them were sent, of a packet that goes in parts
 *  152  the frame: 40 bytes of header, or fewer
 *  192  payload, unless the header is shorter
 * </pre>
 */
final class Slot {

  /** A receive. */
  static final int RECEIVE = 1;

  /** A send of its own frame. */
  static final int SEND = 2;

  /** A send of a packet; {@link #more} is the packet. */
  static final int PACKET = 3;

  /** A transfer with the memory of a peer, carried out here; {@link #more} is its number. */
  static final int SERVICE = 4;

  /** A packet that is longer than a receive takes, fetched from its sender. */
  static final int LARGE = 5;

  static final int PAYLOAD = 192;
  private static final int FRAME = PAYLOAD - Frame.HEADER;
  private static final int KIND = 64;
  private static final int PEER = 68;
  private static final int NEXT = 72;
  private static final int MORE = 80;
  private static final int DESCRIPTOR = 88;
  private static final int RETURN = 96;
  private static final int LENGTH = 104;
  private static final int SENT = 108;

  private Slot() {}

  /** Memory for slots, zeroed. */
  static MemorySegment memory(long bytes) {
    return Arena.ofAuto().allocate(bytes, 64);
  }

  static int kind(long slot) {
    return Memory.getInt(slot + KIND);
  }

  static void kind(long slot, int kind) {
    Memory.putInt(slot + KIND, kind);
  }

  static int peer(long slot) {
    return Memory.getInt(slot + PEER);
  }

  static void peer(long slot, int peer) {
    Memory.putInt(slot + PEER, peer);
  }

  static long next(long slot) {
    return Memory.getLong(slot + NEXT);
  }

  static void next(long slot, long next) {
    Memory.putLong(slot + NEXT, next);
  }

  static long more(long slot) {
    return Memory.getLong(slot + MORE);
  }

  static void more(long slot, long more) {
    Memory.putLong(slot + MORE, more);
  }

  static long descriptor(long slot) {
    return Memory.getLong(slot + DESCRIPTOR);
  }

  static void descriptor(long slot, long descriptor) {
    Memory.putLong(slot + DESCRIPTOR, descriptor);
  }

  static int length(long slot) {
    return Memory.getInt(slot + LENGTH);
  }

  static void length(long slot, int length) {
    Memory.putInt(slot + LENGTH, length);
  }

  static int sent(long slot) {
    return Memory.getInt(slot + SENT);
  }

  static void sent(long slot, int sent) {
    Memory.putInt(slot + SENT, sent);
  }

  static long frame(long slot) {
    return slot + FRAME;
  }

  static long payload(long slot) {
    return slot + PAYLOAD;
  }

  /** Where leases end: the head of a list that any thread adds to. */
  static void returnTo(long slot, long word) {
    Memory.putLong(slot + RETURN, word);
  }

  /** Ends a lease. Any thread. */
  static void giveBack(long slot) {
    long word = Memory.getLong(slot + RETURN);
    long first;
    do {
      first = Memory.getLongVolatile(word);
      next(slot, first);
    } while (!Memory.compareAndSetLong(word, first, slot));
  }

  /** Takes all that was given back, as a list. */
  static long takeReturned(long word) {
    return Memory.getLongVolatile(word) == 0 ? 0 : Memory.getAndSetLong(word, 0);
  }
}
