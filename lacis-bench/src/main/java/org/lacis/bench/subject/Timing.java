package org.lacis.bench.subject;

/**
 * How long something took.
 *
 * @param nanos nanoseconds; 0 at ranks that only take part
 * @param more further figures, as they are written in an answer: {@code NAME=VALUE NAME=VALUE}
 */
public record Timing(long nanos, String more) {
  /** A time alone. */
  public static Timing of(long nanos) {
    return new Timing(nanos, "");
  }
}
