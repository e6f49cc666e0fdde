package org.lacis.bench.report;

import java.util.List;
import java.util.stream.Stream;
import org.lacis.report.Html;
import org.lacis.report.Piece;
import org.lacis.report.Svg;

/**
 * Values in groups, one group below the other, all over one axis.
 *
 * @param title what the chart shows
 * @param label what the values are, with their unit
 * @param groups in the order in which they are shown
 * @param palette the colours of the names of bars
 */
public record GroupedBarChart(String title, String label, List<BarGroup> groups, Palette palette)
    implements Piece {
  private static final double WIDTH = 640;
  private static final double LEFT = 170;
  private static final double RIGHT = 580;
  private static final double TOP = 4;
  private static final double HEADING = 26;
  private static final double ROW = 20;

  @Override
  public String html() {
    List<Double> ends =
        groups.stream()
            .flatMap(group -> group.bars().stream())
            .flatMap(bar -> Stream.of(bar.value(), bar.high()))
            .toList();
    Axis axis = Axis.around(label, false, ends, LEFT, RIGHT);
    double bottom =
        groups.stream()
            .mapToDouble(group -> HEADING + ROW * group.bars().size())
            .reduce(TOP, Double::sum);
    var svg = new Svg(title, WIDTH, bottom + 44);
    double y = TOP;
    for (BarGroup group : groups) {
      svg.text("start", 0, y + HEADING - 8, group.name());
      y += HEADING;
      // Lines end where a group does, so that none goes through what it is called.
      double end = y + ROW * group.bars().size();
      for (double tick : axis.ticks()) {
        svg.line("grid", axis.at(tick), y, axis.at(tick), end);
      }
      for (Bar bar : group.bars()) {
        bar.draw(svg, axis, palette, y, ROW);
        y += ROW;
      }
      svg.line("axis", LEFT, end - ROW * group.bars().size(), LEFT, end);
    }
    for (double tick : axis.ticks()) {
      svg.text("middle", axis.at(tick), bottom + 16, Axis.number(tick));
    }
    svg.text("start", LEFT, bottom + 36, label);
    return "<figure><figcaption>%s</figcaption>\n%s</figure>\n"
        .formatted(Html.escape(title), svg.finish());
  }
}
