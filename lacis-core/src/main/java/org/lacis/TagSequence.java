package org.lacis;

/**
 * Tags that number the messages of a stream from one rank to another. Messages are not ordered;
 * with these tags the receive that was posted first gets the message that was sent first, and so
 * on, whatever overtakes what on the way. Both sides make one with the same arguments.
 *
 * <pre>{@code
 * var tags = new TagSequence(0, 16);
 * while (lacis.send(1, message, tags.tag(), done).isRetry()) {
 *   lacis.progress();
 * }
 * tags.advance();
 * }</pre>
 *
 * <p>For one thread. Numbers are used again after {@link #window()} messages: no more than that may
 * be under way or waiting at a time.
 */
public final class TagSequence {

  private static final int TAG_BITS = Integer.SIZE - Integer.numberOfLeadingZeros(Lacis.MAX_TAG);

  private final int first;
  private final int mask;
  private int number;

  /**
   * The tags of one stream, from its beginning.
   *
   * @param stream which of the streams between these two ranks in this direction
   * @param streams how many there may be, a power of two; the tags are shared out among them
   */
  public TagSequence(int stream, int streams) {
    if (streams < 1 || streams > 1 << (TAG_BITS - 1) || Integer.bitCount(streams) != 1) {
      throw new IllegalArgumentException(
          "streams must be a power of two from 1 to "
              + (1 << (TAG_BITS - 1))
              + ", but is "
              + streams);
    }
    if (stream < 0 || stream >= streams) {
      throw new IllegalArgumentException(
          "stream must be 0 to " + (streams - 1) + ", but is " + stream);
    }
    int bits = TAG_BITS - Integer.numberOfTrailingZeros(streams);
    this.mask = (1 << bits) - 1;
    this.first = stream << bits;
  }

  /** The tag of the next message. */
  public int tag() {
    return first | (number & mask);
  }

  /** Goes on to the message behind that, once its post has not been answered with a retry. */
  public void advance() {
    number++;
  }

  /** How many messages can be told apart. */
  public int window() {
    return mask + 1;
  }

  @Override
  public String toString() {
    return "TagSequence[next " + tag() + ", window " + window() + "]";
  }
}
