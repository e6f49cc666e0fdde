package org.lacis.engine;

import org.jspecify.annotations.Nullable;
import org.lacis.MatchingHints;
import org.lacis.net.Memory;

/**
 * The two header words of a message.
 *
 * <pre>
 *  h0   63..60  59..58  57     56..55  54..32   31..0
 *       kind    policy  list   style   index    tag
 *
 *  kind          index              h1                     payload
 *  EAGER_SEND    matching engine    order                  the message
 *  EAGER_AM      remote completion  immediate              the message
 *  RTS_SEND      matching engine    sender's operation     key, length of the message, order
 *  RTS_AM        remote completion  sender's operation     key, length of the message, immediate
 *  FIN           result             sender's operation     none
 *  SIGNAL        remote completion  bytes put or got       none, or the immediate
 *  BARRIER       round              epoch                  none
 *  FENCE         0                  0                      none
 *  SKIP          matching engine    order                  none: the message of that number does not come
 *  PARTING       device             how many FIN it gave   none: the sender's device of that number is closed
 * </pre>
 *
 * The length in an RTS has its highest bit set if the send is a synchronous one.
 *
 * <p>The order of a message is 0, or, if the engine is an ordered one, the number of the message in
 * the upper half (how many this sender has sent before it, to the same receiver by the same engine;
 * 0 if they may overtake each other), and in the lower half the hash that {@code OrderedKeys}
 * makes. The style is 0 but in what ordered engines send: bit 55 is set then, bit 56 if messages
 * may overtake each other, and in the place of the policy bit 59 if no source, and bit 58 if no tag
 * is left open. With the list bit, the payload of the first four is a {@link ListFrame}, and that
 * of a SIGNAL one without keys and parts. The tag of a BARRIER is 0, or, from a rank that has given
 * up because another is gone, that one's number plus 1.
 */
final class Frame {

  static final int EAGER_SEND = 1;
  static final int EAGER_AM = 2;
  static final int RTS_SEND = 3;
  static final int RTS_AM = 4;
  static final int FIN = 5;
  static final int SIGNAL = 6;
  static final int BARRIER = 7;
  static final int FENCE = 8;
  static final int SKIP = 9;
  static final int PARTING = 10;

  /** Offsets in the payload of RTS. */
  static final int RTS_KEY = 0;

  static final int RTS_LENGTH = 8;
  static final int RTS_IMMEDIATE = 16;
  static final int RTS_BYTES = 24;

  /** The payload of a SIGNAL with immediate data. */
  static final int IMMEDIATE_BYTES = 8;

  /** In h0: the message is a list of buffers. */
  static final long LIST = 1L << 57;

  // In h0: what kind of engine has sent the message, and which hints it has.
  private static final long ORDERED = 1L << 55;
  private static final long OVERTAKING = 1L << 56;
  private static final long NO_ANY_TAG = 1L << 58;
  private static final long NO_ANY_SOURCE = 1L << 59;

  static final int MAX_INDEX = (1 << 23) - 1;

  private Frame() {}

  static long h0(int kind, int policy, int index, int tag) {
    return ((long) kind << 60)
        | ((long) policy << 58)
        | ((long) index << 32)
        | (tag & 0xffff_ffffL);
  }

  /** The length in an RTS. */
  static long rtsLength(long rts) {
    return Memory.getLong(rts + RTS_LENGTH) & Long.MAX_VALUE;
  }

  /** Whether the sender of an RTS wants to hear of it only when all of it is with a receive. */
  static boolean isSynchronous(long rts) {
    return Memory.getLong(rts + RTS_LENGTH) < 0;
  }

  static int kind(long h0) {
    return (int) (h0 >>> 60);
  }

  static boolean isList(long h0) {
    return (h0 & LIST) != 0;
  }

  /** The policy of a send or receive; 0, rank and tag, in what ordered engines send. */
  static int policy(long h0) {
    return (h0 & ORDERED) != 0 ? 0 : (int) (h0 >>> 58) & 3;
  }

  /** What ordered engines with these hints, and others (null), have in their messages. */
  static long style(@Nullable MatchingHints hints) {
    return hints == null
        ? 0
        : ORDERED
            | (hints.allowOvertaking() ? OVERTAKING : 0)
            | (hints.noAnyTag() ? NO_ANY_TAG : 0)
            | (hints.noAnySource() ? NO_ANY_SOURCE : 0);
  }

  /** The hints of the ordered engine that has sent a message; null if it was another one. */
  static @Nullable MatchingHints hints(long h0) {
    return (h0 & ORDERED) == 0
        ? null
        : new MatchingHints(
            (h0 & NO_ANY_SOURCE) != 0, (h0 & NO_ANY_TAG) != 0, (h0 & OVERTAKING) != 0);
  }

  /** Whether a message was sent by an engine of this style. */
  static boolean isOfStyle(long h0, long style) {
    long bits = ORDERED | OVERTAKING;
    // Without order there is a policy in the place of hints.
    return ((h0 ^ style) & (style == 0 ? bits : bits | NO_ANY_TAG | NO_ANY_SOURCE)) == 0;
  }

  static int index(long h0) {
    return (int) (h0 >>> 32) & MAX_INDEX;
  }

  /** What a put, get or atomic has the target told; 0 if it has none, but a tag of its own. */
  static long signal(long h0) {
    return kind(h0) == SIGNAL ? h0 : 0;
  }

  /** The order of a message. */
  static long order(long number, int hash) {
    return (number << 32) | (hash & 0xffff_ffffL);
  }

  /** The number of a message, by its order. */
  static int number(long order) {
    return (int) (order >>> 32);
  }

  static int tag(long h0) {
    return (int) h0;
  }
}
