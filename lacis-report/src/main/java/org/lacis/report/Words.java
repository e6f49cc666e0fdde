package org.lacis.report;

/**
 * Text, as a heading or as a paragraph.
 *
 * @param tag the element: h2, h3 or p
 * @param text what it says
 */
public record Words(String tag, String text) implements Piece {
  /** A heading of a part of the page. */
  public static Words heading(String text) {
    return new Words("h2", text);
  }

  /** A heading within a part. */
  public static Words subheading(String text) {
    return new Words("h3", text);
  }

  /** A paragraph. */
  public static Words paragraph(String text) {
    return new Words("p", text);
  }

  @Override
  public String html() {
    return "<%s>%s</%s>\n".formatted(tag, Html.escape(text), tag);
  }
}
