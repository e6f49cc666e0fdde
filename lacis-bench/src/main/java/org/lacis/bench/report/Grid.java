package org.lacis.bench.report;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A table.
 *
 * @param header what is above the columns
 * @param rows the cells below; numbers are set to the right
 */
public record Grid(List<String> header, List<List<String>> rows) implements Piece {
  @Override
  public String html() {
    return "<table><thead>"
        + row("th", header)
        + "</thead><tbody>\n"
        + rows.stream().map(row -> row("td", row)).collect(Collectors.joining("\n"))
        + "</tbody></table>\n";
  }

  private static String row(String cell, List<String> cells) {
    return cells.stream()
        .map(
            text ->
                "<%s%s>%s</%s>"
                    .formatted(
                        cell, isNumber(text) ? " class=\"number\"" : "", Svg.escaped(text), cell))
        .collect(Collectors.joining("", "<tr>", "</tr>"));
  }

  private static boolean isNumber(String text) {
    return text.matches("[±×]?[\\d,.]+( %)?( ±[\\d,.]+ %)?|–");
  }
}
