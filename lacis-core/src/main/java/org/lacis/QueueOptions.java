package org.lacis;

/**
 * How a completion queue is made.
 *
 * @param capacity how many completions fit, a power of two; of a growing queue, at first
 * @param growing whether it grows when it is full. Otherwise active messages for it wait in the
 *     network then, and their senders are held back
 */
public record QueueOptions(int capacity, boolean growing) {

  /** The largest {@link #capacity()}, 2<sup>24</sup>. */
  public static final int MAX_CAPACITY = 1 << 24;

  /** Checks the values. */
  public QueueOptions {
    if (capacity < 2 || capacity > MAX_CAPACITY || Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException(
          "capacity must be a power of two from 2 to " + MAX_CAPACITY + ", but is " + capacity);
    }
  }

  /**
   * A bounded queue of the usual capacity: {@link LacisOptions#queueCapacity()} of {@link
   * LacisOptions#defaults()}.
   */
  public static QueueOptions defaults() {
    return bounded(LacisOptions.defaults().queueCapacity());
  }

  /** A queue that holds its senders back when it is full. */
  public static QueueOptions bounded(int capacity) {
    return new QueueOptions(capacity, false);
  }

  /** A queue that doubles its capacity when it is full, and never holds anybody back. */
  public static QueueOptions growing(int capacity) {
    return new QueueOptions(capacity, true);
  }
}
