package org.lacis.match;

/**
 * The keys of ordered matching. A message has a source and a tag; a receive may leave either open.
 *
 * <pre>
 *  key    63..62                          61..32            31..0
 *         0 none open, 1 tag, 2 source,   source, or 0      tag, or 0 if it is open
 *         3 both (a message: 0)           if it is open
 *
 *  hash   31..16                15..0
 *         of source and tag     of the tag
 * </pre>
 *
 * <p>The hash of a message is made by its sender and travels with it. Of the source alone none is
 * needed: ranks are numbers without gaps.
 */
public final class OrderedKeys {

  /** The tag of a receive is open. */
  public static final int ANY_TAG = 1;

  /** The source of a receive is open. */
  public static final int ANY_SOURCE = 2;

  /** How many combinations there are of what is open. */
  static final int CLASSES = 4;

  /** How many bits of a hash there are for one index. */
  static final int HASH_BITS = 16;

  private static final long SOURCE_BITS = 0x3fff_ffff_0000_0000L;
  private static final long TAG_BITS = 0xffff_ffffL;

  private OrderedKeys() {}

  /**
   * The key of a message, or of a receive with nothing open.
   *
   * @param source 0 or more
   * @param tag 0 or more
   */
  public static long key(int source, int tag) {
    return ((long) source << 32) | tag;
  }

  /**
   * The key of a receive.
   *
   * @param open {@link #ANY_TAG} and {@link #ANY_SOURCE}, added up; 0 for neither
   * @param source anything, if it is open
   * @param tag anything, if it is open
   */
  public static long key(int open, int source, int tag) {
    return as(open, ((long) source << 32) | (tag & TAG_BITS));
  }

  /**
   * The hash of a message. Tags that follow each other have hashes near each other, 64 at a time,
   * so that bins that are used one after the other share cache lines.
   */
  public static int hash(int source, int tag) {
    int near = tag & 63;
    int far = (tag >>> 6) * 0x9E3779B9;
    int both = mixed(far + source * 0x85EBCA6B) ^ near;
    return (both << HASH_BITS) | (mixed(far) ^ near);
  }

  private static int mixed(int value) {
    return ((value ^ (value >>> 15)) * 0xC2B2AE35) >>> (Integer.SIZE - HASH_BITS);
  }

  /** The hash of a message of this key. */
  static int hash(long key) {
    return hash(source(key), (int) key);
  }

  static int source(long key) {
    return (int) ((key & SOURCE_BITS) >>> 32);
  }

  /** What is open in a receive. */
  static int open(long key) {
    return (int) (key >>> 62);
  }

  /** The key of the receives with that open which match a message. */
  static long as(int open, long message) {
    return switch (open) {
      case 0 -> message;
      case ANY_TAG -> (1L << 62) | (message & SOURCE_BITS);
      case ANY_SOURCE -> (2L << 62) | (message & TAG_BITS);
      default -> 3L << 62;
    };
  }

  /** Whether a receive matches a message. */
  static boolean matches(long receive, long message) {
    return receive == as(open(receive), message);
  }
}
