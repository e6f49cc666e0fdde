package org.lacis.bench;

/** What a time for a number of operations means. */
enum Unit {
  /** Half of a round trip. */
  ONE_WAY("ns one way", true, 1),
  /** The time of one operation. */
  EACH("ns", true, 1),
  /** Operations in a second. */
  RATE("million/s", false, 1e6),
  /** Round trips in a second. */
  ROUND_TRIPS("thousand/s", false, 1e3),
  /** Bytes in a second. */
  BANDWIDTH("GB/s", false, 1e9),
  /** The time of all of it. */
  SECONDS("s", true, 1);

  private final String label;
  private final boolean lessIsBetter;
  private final double scale;

  Unit(String label, boolean lessIsBetter, double scale) {
    this.label = label;
    this.lessIsBetter = lessIsBetter;
    this.scale = scale;
  }

  String label() {
    return label;
  }

  boolean lessIsBetter() {
    return lessIsBetter;
  }

  /** The value, in this unit, of so many operations in so many nanoseconds. */
  double value(long count, long bytes, double nanos) {
    return switch (this) {
      case ONE_WAY -> nanos / count / 2;
      case EACH -> nanos / count;
      case RATE, ROUND_TRIPS -> count / nanos * 1e9 / scale;
      case BANDWIDTH -> (double) count * bytes / nanos * 1e9 / scale;
      case SECONDS -> nanos / 1e9;
    };
  }

  /** Whether the first value is better than the second. */
  boolean better(double one, double other) {
    return lessIsBetter ? one < other : one > other;
  }
}
