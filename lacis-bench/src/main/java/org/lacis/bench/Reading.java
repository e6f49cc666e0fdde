package org.lacis.bench;

import java.util.Map;

/**
 * One sample of one subject.
 *
 * @param value in the unit of the measure
 * @param count how many operations it took
 * @param more further figures by name: gc, jit, p50, …
 */
record Reading(double value, long count, Map<String, Double> more) {
  /** How many garbage collections there were meanwhile, in all ranks. */
  long collections() {
    return Math.round(more.getOrDefault("gc", 0.0));
  }
}
