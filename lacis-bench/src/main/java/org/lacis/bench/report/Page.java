package org.lacis.bench.report;

import java.util.List;

/** A page that needs nothing beside itself: no other file, no script, no network. */
public final class Page {
  private static final String STYLE =
      """
      body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
      table { border-collapse: collapse; margin: 0.5rem 0 1.5rem }
      th, td { padding: 0.2rem 0.8rem; border-bottom: 1px solid #ddd; text-align: left }
      .number { text-align: right; font-variant-numeric: tabular-nums }
      figure { margin: 1rem 0; max-width: 44rem }
      figcaption { color: #555 }
      svg { width: 100%; height: auto; font: 12px system-ui, sans-serif }
      .grid { stroke: #e4e4e4 } .axis { stroke: #555 }
      .curve { fill: none; stroke-width: 2 }
      .tick, .label, .legend { fill: #444 }
      @media (prefers-color-scheme: dark) {
        body { background: #191919; color: #ddd } figcaption { color: #aaa }
        th, td { border-color: #444 } .grid { stroke: #333 } .tick, .label, .legend { fill: #bbb }
      }
      """;

  private Page() {}

  /** A page with a title, and what is on it from top to bottom. */
  public static String html(String title, List<Piece> pieces) {
    var text = new StringBuilder();
    text.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    text.append("<meta name=\"viewport\" content=\"width=device-width\">\n");
    text.append("<title>").append(Svg.escaped(title)).append("</title>\n<style>\n");
    text.append(STYLE).append("</style></head><body>\n<h1>").append(Svg.escaped(title));
    text.append("</h1>\n");
    pieces.forEach(piece -> text.append(piece.html()));
    return text.append("</body></html>\n").toString();
  }
}
