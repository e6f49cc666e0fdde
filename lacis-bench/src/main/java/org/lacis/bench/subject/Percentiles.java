package org.lacis.bench.subject;

import org.HdrHistogram.Histogram;

/** Percentiles of times, as they are told in an answer. */
public final class Percentiles {
  private Percentiles() {}

  /** The median and what lies above it, in the unit the times are in. */
  public static String of(Histogram times) {
    return "p50=%d p90=%d p99=%d p999=%d max=%d"
        .formatted(
            times.getValueAtPercentile(50),
            times.getValueAtPercentile(90),
            times.getValueAtPercentile(99),
            times.getValueAtPercentile(99.9),
            times.getMaxValue());
  }
}
