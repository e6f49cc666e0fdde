package org.lacis.bench.report;

import java.util.SortedMap;

/**
 * Values of one kind, to be shown as marks on a line.
 *
 * @param name what they are of
 * @param points values by where they are
 */
public record Curve(String name, SortedMap<Double, Double> points) {}
