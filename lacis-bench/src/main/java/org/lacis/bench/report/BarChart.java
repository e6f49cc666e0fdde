package org.lacis.bench.report;

import java.util.Map;
import org.lacis.report.Html;
import org.lacis.report.Piece;
import org.lacis.report.Svg;

/**
 * Values beside each other, as bars.
 *
 * @param title what the chart shows
 * @param label what the values are, with their unit
 * @param bars values by what they are of, in the order in which they are shown
 */
public record BarChart(String title, String label, Map<String, Double> bars) implements Piece {
  private static final double WIDTH = 640;
  private static final double LEFT = 150;
  private static final double RIGHT = 560;
  private static final double ROW = 26;

  @Override
  public String html() {
    Axis axis = Axis.around(label, false, bars.values(), LEFT, RIGHT);
    double height = ROW * bars.size() + 40;
    var svg = new Svg(title, WIDTH, height);
    double y = 6;
    int index = 0;
    for (Map.Entry<String, Double> bar : bars.entrySet()) {
      svg.text("end", LEFT - 8, y + 15, bar.getKey());
      svg.colourBar(
          Palette.colour(index++),
          LEFT,
          y,
          axis.at(bar.getValue()) - LEFT,
          ROW - 6,
          bar.getKey() + ": " + Axis.number(bar.getValue()));
      svg.text("start", axis.at(bar.getValue()) + 6, y + 15, Axis.number(bar.getValue()));
      y += ROW;
    }
    svg.line("axis", LEFT, 2, LEFT, y);
    svg.text("start", LEFT, y + 20, label);
    return "<figure>"
        + svg.finish()
        + "<figcaption>"
        + Html.escape(title)
        + "</figcaption></figure>\n";
  }
}
