package org.lacis.report;

import java.util.Locale;

/**
 * Draws a figure. Positions and lengths are in pixels. How things look is left to the page, by
 * classes, or given as a colour; what stands for a number is a mark, and tells it to who points at
 * it.
 */
public final class Svg {
  private final StringBuilder out = new StringBuilder();

  /** Starts a figure. */
  public Svg(String title, double width, double height) {
    add(
        "<svg class=\"figure\" role=\"img\" aria-label=\"%s\" viewBox=\"0 0 %.0f %.0f\""
            + " preserveAspectRatio=\"xMinYMin meet\">",
        Html.escape(title), width, height);
  }

  /** A rectangle that stands for a number; of a number that is almost nothing too, it is seen. */
  public void bar(String style, double x, double y, double width, double height, String tip) {
    add(
        "<rect class=\"mark %s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\">"
            + "<title>%s</title></rect>",
        style, x, y, Math.max(width, 0.5), height, Html.escape(tip));
  }

  /** The same in a colour, as long as it is. */
  public void colourBar(
      String colour, double x, double y, double width, double height, String tip) {
    add(
        "<rect class=\"mark\" fill=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\">"
            + "<title>%s</title></rect>",
        colour, x, y, width, height, Html.escape(tip));
  }

  /** A cell of a heat map, with a heat from 0 to 1. */
  public void cell(double x, double y, double width, double height, double heat, String tip) {
    add(
        "<rect class=\"mark cell\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\""
            + " opacity=\"%.3f\"><title>%s</title></rect>",
        x, y, width, height, 0.12 + 0.88 * heat, Html.escape(tip));
  }

  /** A dot on a value. */
  public void dot(String colour, double x, double y, String tip) {
    add(
        "<circle class=\"mark\" fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\""
            + " r=\"4\"><title>%s</title></circle>",
        colour, x, y, Html.escape(tip));
  }

  /** A line through points, given as x,y and separated by blanks. */
  public void curve(String colour, String points) {
    add("<polyline class=\"curve\" stroke=\"%s\" points=\"%s\"/>", colour, points);
  }

  /** What is within points, given as x,y and separated by blanks. */
  public void area(String points, String tip) {
    add(
        "<polygon class=\"mark area\" points=\"%s\"><title>%s</title></polygon>",
        points, Html.escape(tip));
  }

  /** A line. */
  public void line(String style, double x1, double y1, double x2, double y2) {
    add(
        "<line class=\"%s\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>",
        style, x1, y1, x2, y2);
  }

  /** Text, whose anchor is start, middle or end. */
  public void text(String anchor, double x, double y, String text) {
    add(
        "<text text-anchor=\"%s\" x=\"%.2f\" y=\"%.2f\">%s</text>",
        anchor, x, y, Html.escape(text));
  }

  /** The figure. */
  public String finish() {
    return out.append("</svg>\n").toString();
  }

  private void add(String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
