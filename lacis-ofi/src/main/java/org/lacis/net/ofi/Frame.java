package org.lacis.net.ofi;

import org.lacis.net.Memory;

/**
 * The header of every message, little-endian. That of a brief one ends behind its first word. A
 * request to the owner of memory has a second header in front of its data.
 *
 * <pre>
 *   0  token of the job         messages without it are dropped
 *   8  kind (8 bits), source rank (24 bits)
 *  12  taken                    how many messages the sender has taken from the one it sends to
 *  16  h0                       the user's header words, or those of a notification
 *  24  h1
 *  32  number                   how many counted messages were sent before this one
 *  36  released                 how many of the taken ones that came in packets it has released
 *
 *  40  operation                the origin's number of it; in an answer too
 *  44  code                     of an atomic; in an answer: the result
 *  48  key                      of the registration
 *  56  offset                   in what is registered; in an answer: in the transfer
 *  64  length
 *  72  a                        remote key of the origin's memory, or operand
 *  80  b                        its address, or what is expected
 *  88  data
 * </pre>
 */
final class Frame {

  static final int HEADER = 40;

  /**
   * Of a brief message. With 8 bytes of payload it is as long as libfabric's shm provider has room
   * for in the line it announces a message with.
   */
  static final int BRIEF_HEADER = 24;

  /** Of a request, behind the header. */
  static final int REQUEST = 48;

  /** The longest packet, in bytes. */
  static final int MAX_PACKET = 16 << 20;

  /** A message whose payload is valid while it is delivered. */
  static final int MESSAGE = 1;

  /** The same, with a second header word of 0, which is left out. */
  static final int BRIEF = 2;

  /** A message whose payload is leased. */
  static final int PACKET = 3;

  /** A message behind all that were sent before it. */
  static final int MARK = 4;

  /** A packet that is longer than the receiver's buffers; it fetches it. */
  static final int LARGE = 5;

  /** Write what is behind the request. */
  static final int PUT = 6;

  /** Answer with the data. */
  static final int GET = 7;

  /** Change a word and answer with what was there. */
  static final int ATOMIC = 8;

  /** Read the data out of the origin's memory. */
  static final int PULL = 9;

  /** Write the data into the origin's memory. */
  static final int PUSH = 10;

  /** Kinds up to this are counted: they need room at the receiver. */
  static final int LAST_COUNTED = PUSH;

  /** The end of a request, with the data of a get or atomic. */
  static final int ANSWER = 11;

  /** The receiver of a large packet has it. */
  static final int FETCHED = 12;

  /** Nothing but what every header says. */
  static final int CREDIT = 13;

  /** The same; the sender has no room left and wants to hear of any. */
  static final int WANT = 14;

  /** The last message of a rank. */
  static final int GOODBYE = 15;

  /** The last message of a device whose rank goes on. */
  static final int SHUT = 16;

  /** The sender has given up the one it sends to, and takes nothing from it any more. */
  static final int GIVEN_UP = 17;

  /** A part of the next packet, where the provider keeps the order. */
  static final int PART = 18;

  private Frame() {}

  static void write(long frame, long h0, long h1, long token, int kind, int source, Peer to) {
    Memory.putLong(frame, token);
    Memory.putInt(frame + 8, (kind << 24) | source);
    Memory.putInt(frame + 12, to.taken);
    Memory.putLong(frame + 16, h0);
    if (kind != BRIEF) {
      Memory.putLong(frame + 24, h1);
      Memory.putInt(frame + 32, to.sent);
      Memory.putInt(frame + 36, to.released);
    }
  }

  static long token(long frame) {
    return Memory.getLong(frame);
  }

  static int kind(long frame) {
    return Memory.getInt(frame + 8) >>> 24;
  }

  static int source(long frame) {
    return Memory.getInt(frame + 8) & 0xffffff;
  }

  static int taken(long frame) {
    return Memory.getInt(frame + 12);
  }

  static long h0(long frame) {
    return Memory.getLong(frame + 16);
  }

  static long h1(long frame) {
    return kind(frame) == BRIEF ? 0 : Memory.getLong(frame + 24);
  }

  /** Not of a brief one. */
  static int number(long frame) {
    return Memory.getInt(frame + 32);
  }

  /** Not of a brief one. */
  static int released(long frame) {
    return Memory.getInt(frame + 36);
  }

  /** Bytes in front of the payload, or of the second header. */
  static int header(int kind) {
    return kind == BRIEF ? BRIEF_HEADER : HEADER;
  }

  /** What a frame of this kind has behind the header, at least. */
  static int rest(long frame) {
    return switch (kind(frame)) {
      case LARGE, PUT, GET, ATOMIC, PULL, PUSH, ANSWER, FETCHED -> REQUEST;
      default -> 0;
    };
  }

  static void request(
      long frame, int operation, int code, long key, long offset, long length, long a, long b) {
    Memory.putInt(frame + 40, operation);
    Memory.putInt(frame + 44, code);
    Memory.putLong(frame + 48, key);
    Memory.putLong(frame + 56, offset);
    Memory.putLong(frame + 64, length);
    Memory.putLong(frame + 72, a);
    Memory.putLong(frame + 80, b);
  }

  static int operation(long frame) {
    return Memory.getInt(frame + 40);
  }

  static int code(long frame) {
    return Memory.getInt(frame + 44);
  }

  static long key(long frame) {
    return Memory.getLong(frame + 48);
  }

  static long offset(long frame) {
    return Memory.getLong(frame + 56);
  }

  static long length(long frame) {
    return Memory.getLong(frame + 64);
  }

  static long a(long frame) {
    return Memory.getLong(frame + 72);
  }

  static long b(long frame) {
    return Memory.getLong(frame + 80);
  }

  /** The data behind a request. */
  static long data(long frame) {
    return frame + HEADER + REQUEST;
  }
}
