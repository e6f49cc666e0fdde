package org.lacis.bench.report;

import java.util.Locale;

/** SVG, piece by piece. Positions and lengths are in pixels. */
final class Svg {
  private final StringBuilder text = new StringBuilder();

  /** Text in which nothing has a meaning to a browser. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  void open(double width, double height, String label) {
    text.append(
        String.format(
            Locale.ROOT,
            "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\">\n",
            width,
            height,
            escaped(label)));
  }

  void line(String css, double x1, double y1, double x2, double y2) {
    add(
        "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
        css, x1, y1, x2, y2);
  }

  /** A word; the anchor is start, middle or end. */
  void text(String css, String anchor, double x, double y, String words) {
    add(
        "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>",
        css, anchor, x, y, escaped(words));
  }

  /** A mark on a value, which is told to who points at it. */
  void mark(String colour, double x, double y, String told) {
    add(
        "<circle class=\"mark\" fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\""
            + " r=\"4\"><title>%s</title></circle>",
        colour, x, y, escaped(told));
  }

  void path(String colour, String points) {
    add("<polyline class=\"curve\" stroke=\"%s\" points=\"%s\"/>", colour, points);
  }

  void bar(String colour, double x, double y, double width, double height, String told) {
    add(
        "<rect class=\"bar\" fill=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\""
            + " height=\"%.1f\"><title>%s</title></rect>",
        colour, x, y, width, height, escaped(told));
  }

  private void add(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  String close() {
    return text.append("</svg>\n").toString();
  }
}
