package org.lacis.bench.report;

import java.util.List;
import java.util.stream.Stream;
import org.lacis.report.Html;
import org.lacis.report.Piece;
import org.lacis.report.Svg;

/**
 * Values beside each other, as bars.
 *
 * @param title what the chart shows
 * @param label what the values are, with their unit
 * @param bars in the order in which they are shown
 * @param palette the colours of their names
 */
public record BarChart(String title, String label, List<Bar> bars, Palette palette)
    implements Piece {
  private static final double WIDTH = 420;
  private static final double LEFT = 92;
  private static final double RIGHT = 350;
  private static final double ROW = 26;

  @Override
  public String html() {
    List<Double> ends = bars.stream().flatMap(bar -> Stream.of(bar.value(), bar.high())).toList();
    Axis axis = Axis.around(label, false, ends, LEFT, RIGHT);
    double height = ROW * bars.size() + 28;
    var svg = new Svg(title, WIDTH, height);
    double y = 4;
    for (Bar bar : bars) {
      bar.draw(svg, axis, palette, y, ROW);
      y += ROW;
    }
    svg.line("axis", LEFT, 0, LEFT, y);
    svg.text("start", LEFT, y + 16, label);
    return "<figure class=\"narrow\"><figcaption>%s</figcaption>\n%s</figure>\n"
        .formatted(Html.escape(title), svg.finish());
  }
}
