package org.lacis.bench;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A sample of every subject, one after the other.
 *
 * @param start how many times the subjects had been started before those that were sampled here
 * @param readings by name of the subject
 */
record Round(int start, Map<String, Reading> readings) {

  /** Nanoseconds a cache line took before and after each sample; NaN where that is not known. */
  List<Double> bounces() {
    return readings.values().stream()
        .flatMap(reading -> Stream.of(reading.before(), reading.after()))
        .toList();
  }

  /** Whether a cache line took so many times as long at one time in it as at another. */
  boolean changes(double factor) {
    List<Double> bounces = bounces();
    return Statistics.quantile(bounces, 1) >= factor * Statistics.quantile(bounces, 0);
  }
}
