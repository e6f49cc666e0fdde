package org.lacis.net.sim;

import java.time.Duration;

/**
 * What messages cost, after the LogGP model, in virtual time.
 *
 * @param overhead <i>o</i>: the time a rank is busy with each message it sends or receives
 * @param latency <i>L</i>: the time from one rank to another, and of an acknowledgement or a
 *     packet's way back
 * @param gap <i>g</i>: the least time between two messages that leave, or reach, a device
 * @param nanosPerByte <i>G</i>: the time each byte takes on its way out of a device or into it, in
 *     nanoseconds
 */
public record CostModel(Duration overhead, Duration latency, Duration gap, double nanosPerByte) {

  /** Everything is instantaneous: order and faults without time. */
  public static final CostModel FREE =
      new CostModel(Duration.ZERO, Duration.ZERO, Duration.ZERO, 0);

  /** A cluster network of today: 1 microsecond, 5 million messages a second, 25 GB a second. */
  public static final CostModel CLUSTER =
      new CostModel(Duration.ofNanos(100), Duration.ofNanos(800), Duration.ofNanos(200), 0.04);

  /** Checks that no time is negative. */
  public CostModel {
    if (overhead.isNegative()
        || latency.isNegative()
        || gap.isNegative()
        || !(nanosPerByte >= 0)
        || nanosPerByte > 1e9) {
      throw new IllegalArgumentException(
          "costs must not be negative, and a byte takes at most a second: overhead "
              + overhead
              + ", latency "
              + latency
              + ", gap "
              + gap
              + ", nanoseconds per byte "
              + nanosPerByte);
    }
  }

  /** The time some bytes take through a device, in nanoseconds. */
  long wireNanos(long bytes) {
    return (long) Math.ceil(bytes * nanosPerByte);
  }

  /** The time a device is taken by a message, in nanoseconds. */
  long occupancyNanos(long bytes) {
    return Math.max(gap.toNanos(), wireNanos(bytes));
  }
}
