package org.lacis.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import org.lacis.report.Html;
import org.lacis.report.Piece;
import org.lacis.report.Svg;

/**
 * Curves over one axis.
 *
 * @param title what the chart shows
 * @param xLabel what is along the bottom
 * @param yLabel what is along the side, with its unit
 * @param logX whether equal factors are equally far apart along the bottom
 * @param logY the same along the side
 * @param curves what is shown
 * @param xText how a place along the bottom is written
 * @param palette the colours of the names of curves
 */
public record LineChart(
    String title,
    String xLabel,
    String yLabel,
    boolean logX,
    boolean logY,
    List<Curve> curves,
    DoubleFunction<String> xText,
    Palette palette)
    implements Piece {
  private static final double WIDTH = 476;
  private static final double LEFT = 60;
  private static final double RIGHT = 472;
  private static final double TOP = 24;
  private static final double BOTTOM = 264;
  private static final double LEGEND = BOTTOM + 64;

  @Override
  public String html() {
    var places = new TreeSet<Double>();
    curves.forEach(curve -> places.addAll(curve.points().keySet()));
    List<Double> values =
        curves.stream().flatMap(curve -> curve.points().values().stream()).toList();
    Axis x = Axis.between(xLabel, logX, places, LEFT + 20, RIGHT - 20);
    Axis y = Axis.around(yLabel, logY, values, BOTTOM, TOP);
    var svg = new Svg(title, WIDTH, LEGEND + 20 * ((curves.size() - 1) / 2) + 8);
    for (double tick : y.ticks()) {
      svg.line("grid", LEFT, y.at(tick), RIGHT, y.at(tick));
      svg.text("end", LEFT - 6, y.at(tick) + 4, Axis.number(tick));
    }
    for (double place : places) {
      svg.text("middle", x.at(place), BOTTOM + 18, xText.apply(place));
    }
    svg.line("axis", LEFT, BOTTOM, RIGHT, BOTTOM);
    svg.text("middle", (LEFT + RIGHT) / 2, BOTTOM + 38, xLabel);
    svg.text("start", 0, 12, yLabel);
    for (int i = 0; i < curves.size(); i++) {
      draw(svg, x, y, i);
    }
    return "<figure><figcaption>%s</figcaption>\n%s</figure>\n"
        .formatted(Html.escape(title), svg.finish());
  }

  private void draw(Svg svg, Axis x, Axis y, int index) {
    Curve curve = curves.get(index);
    String colour = palette.colour(curve.name());
    svg.curve(
        colour,
        curve.points().entrySet().stream()
            .map(p -> String.format(Locale.ROOT, "%.1f,%.1f", x.at(p.getKey()), y.at(p.getValue())))
            .collect(Collectors.joining(" ")));
    for (Map.Entry<Double, Double> point : curve.points().entrySet()) {
      svg.dot(
          colour,
          x.at(point.getKey()),
          y.at(point.getValue()),
          curve.name() + ", " + xText.apply(point.getKey()) + ": " + Axis.number(point.getValue()));
    }
    double left = LEFT + (RIGHT - LEFT) / 2 * (index % 2);
    double line = LEGEND + 20 * (index / 2);
    svg.colourBar(colour, left, line - 8, 12, 8, curve.name());
    svg.text("start", left + 18, line, curve.name());
  }
}
