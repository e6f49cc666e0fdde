package org.lacis.bench;

import java.util.Map;

/**
 * A sample of every subject, one after the other.
 *
 * @param start how many times the subjects had been started before those that were sampled here
 * @param before nanoseconds a cache line took before them, one way; NaN if that is not known
 * @param after the same after them
 * @param readings by name of the subject
 */
record Round(int start, double before, double after, Map<String, Reading> readings) {}
