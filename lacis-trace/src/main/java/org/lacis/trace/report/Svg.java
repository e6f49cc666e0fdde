package org.lacis.trace.report;

import java.util.Locale;

/** Draws a figure. Colours are left to the page, by classes; what stands for a number is a mark. */
final class Svg {
  private final StringBuilder out = new StringBuilder();

  Svg(String title, double width, double height) {
    add(
        "<svg class=\"figure\" role=\"img\" aria-label=\"%s\" viewBox=\"0 0 %.0f %.0f\""
            + " preserveAspectRatio=\"xMinYMin meet\">",
        Html.escape(title), width, height);
  }

  /** A rectangle that stands for a number, which is shown where it is pointed at. */
  void mark(String style, double x, double y, double width, double height, String tip) {
    add(
        "<rect class=\"mark %s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\">"
            + "<title>%s</title></rect>",
        style, x, y, Math.max(width, 0.5), Math.max(height, 0.5), Html.escape(tip));
  }

  /** A cell of a heat map. */
  void cell(double x, double y, double width, double height, double heat, String tip) {
    add(
        "<rect class=\"mark cell\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\""
            + " opacity=\"%.3f\"><title>%s</title></rect>",
        x, y, width, height, 0.12 + 0.88 * heat, Html.escape(tip));
  }

  void area(String points, String tip) {
    add(
        "<polygon class=\"mark area\" points=\"%s\"><title>%s</title></polygon>",
        points, Html.escape(tip));
  }

  void line(String style, double x1, double y1, double x2, double y2) {
    add(
        "<line class=\"%s\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>",
        style, x1, y1, x2, y2);
  }

  /** Text, whose anchor is start, middle or end. */
  void text(String anchor, double x, double y, String text) {
    add(
        "<text text-anchor=\"%s\" x=\"%.2f\" y=\"%.2f\">%s</text>",
        anchor, x, y, Html.escape(text));
  }

  String finish() {
    return out.append("</svg>\n").toString();
  }

  private void add(String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
