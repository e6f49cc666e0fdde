package org.lacis.bench.report;

import org.lacis.report.Svg;

/**
 * A value, to be shown as a bar with a line across its end that tells how sure it is.
 *
 * @param name what it is of
 * @param value how long the bar is
 * @param low where the line begins
 * @param high where it ends
 */
public record Bar(String name, double value, double low, double high) {
  private static final double GAP = 6;

  /** Draws it from the beginning of an axis, with its name before that and its value behind. */
  void draw(Svg svg, Axis axis, Palette palette, double y, double row) {
    double left = axis.begin();
    double end = axis.at(value);
    double middle = y + (row - GAP) / 2;
    svg.text("end", left - GAP, middle + 4, name);
    svg.colourBar(
        palette.colour(name), left, y, end - left, row - GAP, name + ": " + Axis.number(value));
    if (high > low) {
      double from = axis.at(low);
      double to = axis.at(high);
      svg.line("spread", from, middle, to, middle);
      svg.line("spread", from, middle - 4, from, middle + 4);
      svg.line("spread", to, middle - 4, to, middle + 4);
      end = Math.max(end, to);
    }
    svg.text("start", end + GAP, middle + 4, Axis.number(value));
  }
}
