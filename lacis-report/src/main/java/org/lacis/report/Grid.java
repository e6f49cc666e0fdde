package org.lacis.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table. On a narrow screen it is moved sideways by itself.
 *
 * @param header what is above the columns
 * @param rows the cells below; columns of numbers are set to the right, and a row of a single cell
 *     is a heading of those that follow
 */
public record Grid(List<String> header, List<List<String>> rows) implements Piece {
  @Override
  public String html() {
    return "<div class=\"wide\"><table><thead>"
        + IntStream.range(0, header.size())
            .mapToObj(i -> cell("th", header.get(i), isOfNumbers(i)))
            .collect(Collectors.joining("", "<tr>", "</tr>"))
        + "</thead><tbody>\n"
        + rows.stream().map(this::row).collect(Collectors.joining("\n"))
        + "</tbody></table></div>\n";
  }

  private String row(List<String> cells) {
    if (isHeading(cells)) {
      return "<tr><th colspan=\"%d\">%s</th></tr>"
          .formatted(header.size(), Html.escape(cells.getFirst()));
    }
    return IntStream.range(0, cells.size())
        .mapToObj(i -> cell("td", cells.get(i), isOfNumbers(i)))
        .collect(Collectors.joining("", "<tr>", "</tr>"));
  }

  private boolean isHeading(List<String> cells) {
    return cells.size() == 1 && header.size() > 1;
  }

  private static String cell(String tag, String text, boolean number) {
    return "<%s%s>%s</%s>"
        .formatted(tag, number ? " class=\"number\"" : "", Html.escape(text), tag);
  }

  private boolean isOfNumbers(int column) {
    List<String> cells =
        rows.stream()
            .filter(row -> column < row.size() && !isHeading(row))
            .map(row -> row.get(column))
            .filter(text -> !text.isEmpty())
            .toList();
    return !cells.isEmpty() && cells.stream().allMatch(Grid::isNumber);
  }

  private static boolean isNumber(String text) {
    return text.matches("([±×]?[\\d,.]+(e[+-]?\\d+)?( %)?|–)( ±([\\d,.]+ %|\\?))?|±\\?");
  }
}
