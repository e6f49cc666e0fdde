package org.lacis.bench;

import java.util.Map;

/**
 * One sample of one subject.
 *
 * @param value in the unit of the measure
 * @param count how many operations it took
 * @param more further figures by name: gc, jit, p50, …
 * @param before nanoseconds a cache line took before it, one way; NaN if that is not known
 * @param after the same after it
 */
record Reading(double value, long count, Map<String, Double> more, double before, double after) {

  /** A sample of which nobody knows yet how far the cores were from each other. */
  static Reading of(double value, long count, Map<String, Double> more) {
    return new Reading(value, count, more, Double.NaN, Double.NaN);
  }

  /** The same, with what a cache line took around it. */
  Reading between(double newBefore, double newAfter) {
    return new Reading(value, count, more, newBefore, newAfter);
  }

  /** How many garbage collections there were meanwhile, in all ranks. */
  long collections() {
    return Math.round(more.getOrDefault("gc", 0.0));
  }
}
