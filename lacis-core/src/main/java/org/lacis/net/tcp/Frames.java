package org.lacis.net.tcp;

import org.lacis.net.Memory;

/**
 * The frames on a connection, as {@code docs/wire-format.md} draws them: a first word, more words
 * that depend on the kind, and a payload.
 *
 * <pre>
 *  first word   63..48  47..40  39..32  31..0
 *               check   flags   kind    bytes of payload
 * </pre>
 */
final class Frames {

  /** An injected message: h0, h1, payload. */
  static final int MESSAGE = 1;

  /** A message in a packet: h0, h1, payload. */
  static final int PACKET = 2;

  /** A part of a put: id, key, offset, length of the put, position of the part, h0, h1, data. */
  static final int PUT = 3;

  /** A get: id, key, offset, length, h0, h1. */
  static final int GET = 4;

  /** An atomic: id, key, offset, operation, operand, expected, h0, h1. */
  static final int ATOMIC = 5;

  /** A part of the answer to a get or atomic: id and result, position of the part, data. */
  static final int DATA = 6;

  /** The answer to a put: id and result. */
  static final int ACK = 7;

  /** How many messages were taken, and how many bytes of packets released, since the beginning. */
  static final int CREDIT = 8;

  /** I am alive. */
  static final int BEAT = 9;

  /** Nothing comes after this: the rank closes. */
  static final int GOODBYE = 10;

  /** Nothing comes after this on this device. */
  static final int DEVICE_CLOSED = 11;

  /** Of the last part. */
  static final int LAST = 1;

  /** Of the last part of a put: it has failed at its origin. */
  static final int FAILED = 2;

  /** The most data in one part. */
  static final int MAX_PART = 1 << 20;

  /** The longest packet. */
  static final int MAX_PACKET = 1 << 24;

  /** The most bytes an injected message carries, and what it carries if nothing is asked for. */
  static final int INJECT_LIMIT = 128;

  static final int INJECT_DEFAULT = 40;

  static final int MESSAGE_HEAD = 24;
  static final int PUT_HEAD = 64;
  static final int GET_HEAD = 56;
  static final int ATOMIC_HEAD = 72;
  static final int DATA_HEAD = 24;
  static final int ACK_HEAD = 16;
  static final int CREDIT_HEAD = 24;
  static final int MAX_HEAD = ATOMIC_HEAD;

  private static final int CHECK = 0x4c54;
  private static final int[] HEADS = {
    0,
    MESSAGE_HEAD,
    MESSAGE_HEAD,
    PUT_HEAD,
    GET_HEAD,
    ATOMIC_HEAD,
    DATA_HEAD,
    ACK_HEAD,
    CREDIT_HEAD,
    8,
    8,
    8
  };
  private static final int[] MOST = {
    0, INJECT_LIMIT, MAX_PACKET, MAX_PART, 0, 0, MAX_PART, 0, 0, 0, 0, 0
  };

  private Frames() {}

  static long first(int kind, int flags, int length) {
    return ((long) CHECK << 48) | ((long) flags << 40) | ((long) kind << 32) | length;
  }

  static int kind(long first) {
    return (int) (first >>> 32) & 0xff;
  }

  static int flags(long first) {
    return (int) (first >>> 40) & 0xff;
  }

  static int length(long first) {
    return (int) first;
  }

  /** The bytes in front of the payload; 0 if this is no first word of a frame. */
  static int head(long first) {
    int kind = kind(first);
    if (first >>> 48 != CHECK || kind >= HEADS.length) {
      return 0;
    }
    int length = length(first);
    int flags = flags(first);
    int allowed = kind == PUT ? LAST | FAILED : kind == DATA ? LAST : 0;
    return length < 0 || length > MOST[kind] || (flags & ~allowed) != 0 ? 0 : HEADS[kind];
  }

  /** Writes the head of a message. */
  static void message(long at, int kind, int length, long h0, long h1) {
    Memory.putLong(at, first(kind, 0, length));
    Memory.putLong(at + 8, h0);
    Memory.putLong(at + 16, h1);
  }

  /** Writes the head of a part of a put. */
  static void put(long at, int flags, int length, Load load) {
    Memory.putLong(at, first(PUT, flags, length));
    Memory.putLong(at + 8, load.id);
    Memory.putLong(at + 16, load.key);
    Memory.putLong(at + 24, load.keyOffset);
    Memory.putLong(at + 32, load.length);
    Memory.putLong(at + 40, load.sent);
    Memory.putLong(at + 48, load.h0);
    Memory.putLong(at + 56, load.h1);
  }

  /** Writes a get. */
  static void get(long at, Load load) {
    Memory.putLong(at, first(GET, 0, 0));
    Memory.putLong(at + 8, load.id);
    Memory.putLong(at + 16, load.key);
    Memory.putLong(at + 24, load.keyOffset);
    Memory.putLong(at + 32, load.length);
    Memory.putLong(at + 40, load.h0);
    Memory.putLong(at + 48, load.h1);
  }

  /** Writes an atomic. */
  static void atomic(long at, Load load, int operation, long operand, long expected) {
    Memory.putLong(at, first(ATOMIC, 0, 0));
    Memory.putLong(at + 8, load.id);
    Memory.putLong(at + 16, load.key);
    Memory.putLong(at + 24, load.keyOffset);
    Memory.putLong(at + 32, operation);
    Memory.putLong(at + 40, operand);
    Memory.putLong(at + 48, expected);
    Memory.putLong(at + 56, load.h0);
    Memory.putLong(at + 64, load.h1);
  }

  /** Writes the head of a part of an answer. */
  static void data(long at, int flags, int length, int id, int result, long position) {
    Memory.putLong(at, first(DATA, flags, length));
    Memory.putInt(at + 8, id);
    Memory.putInt(at + 12, result);
    Memory.putLong(at + 16, position);
  }

  /** Writes the answer to a put. */
  static void ack(long at, int id, int result) {
    Memory.putLong(at, first(ACK, 0, 0));
    Memory.putInt(at + 8, id);
    Memory.putInt(at + 12, result);
  }

  /** Writes what the peer may send more. */
  static void credit(long at, long taken, long released) {
    Memory.putLong(at, first(CREDIT, 0, 0));
    Memory.putLong(at + 8, taken);
    Memory.putLong(at + 16, released);
  }
}
