package org.lacis.bench.report;

import java.util.List;

/**
 * Values that belong together.
 *
 * @param name what they have in common
 * @param bars in the order in which they are shown
 */
public record BarGroup(String name, List<Bar> bars) {}
