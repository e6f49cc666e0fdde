package org.lacis.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * A page that needs nothing beside itself: no other file, no script, no network. It can be read on
 * a phone, in the dark and on paper.
 */
public final class Page {
  private Page() {}

  /** A page with a title, and what is on it from top to bottom. */
  public static String html(String title, List<? extends Piece> pieces) {
    var text = new StringBuilder();
    text.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    text.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    text.append("<meta name=\"color-scheme\" content=\"light dark\">\n");
    text.append("<title>").append(Html.escape(title)).append("</title>\n<style>\n");
    text.append(style()).append("</style></head><body>\n<h1>").append(Html.escape(title));
    text.append("</h1>\n");
    pieces.forEach(piece -> text.append(piece.html()));
    return text.append("</body></html>\n").toString();
  }

  private static String style() {
    try (InputStream in =
        Objects.requireNonNull(Page.class.getResourceAsStream("page.css"), "page.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
