package org.lacis.trace.replay;

/** How it is found out when messages have arrived: traces do not tell. */
public sealed interface Arrivals {

  /**
   * By the times of the trace: a message arrives when it is sent, or, if the clocks of two ranks do
   * not agree, at the latest when its receive was complete.
   */
  record Times() implements Arrivals {}

  /**
   * By a model: each rank computes between its calls as long as it did, waits for its messages, and
   * those take a time on their way that is drawn at random.
   *
   * @param seed the same one gives the same times
   * @param latencyNanos how long a message takes at least
   * @param jitterNanos how much longer it may take
   */
  record Model(long seed, long latencyNanos, long jitterNanos) implements Arrivals {
    /** Checks it. */
    public Model {
      if (latencyNanos < 0 || jitterNanos < 0) {
        throw new IllegalArgumentException(
            "latency %d ns and jitter %d ns: neither may be negative"
                .formatted(latencyNanos, jitterNanos));
      }
    }
  }
}
