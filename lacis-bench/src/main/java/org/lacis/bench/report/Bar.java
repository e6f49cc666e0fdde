package org.lacis.bench.report;

/**
 * A value, to be shown as a bar with a line across its end that tells how sure it is.
 *
 * @param name what it is of
 * @param value how long the bar is
 * @param low where the line begins
 * @param high where it ends
 */
public record Bar(String name, double value, double low, double high) {}
