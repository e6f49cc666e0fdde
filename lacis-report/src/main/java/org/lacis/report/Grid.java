package org.lacis.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table. On a narrow screen it is moved sideways by itself.
 *
 * @param header what is above the columns
 * @param rows the cells below; numbers are set to the right
 */
public record Grid(List<String> header, List<List<String>> rows) implements Piece {
  @Override
  public String html() {
    return "<div class=\"wide\"><table><thead>"
        + IntStream.range(0, header.size())
            .mapToObj(i -> cell("th", header.get(i), isOfNumbers(i)))
            .collect(Collectors.joining("", "<tr>", "</tr>"))
        + "</thead><tbody>\n"
        + rows.stream().map(Grid::row).collect(Collectors.joining("\n"))
        + "</tbody></table></div>\n";
  }

  private static String row(List<String> cells) {
    return cells.stream()
        .map(text -> cell("td", text, isNumber(text)))
        .collect(Collectors.joining("", "<tr>", "</tr>"));
  }

  private static String cell(String tag, String text, boolean number) {
    return "<%s%s>%s</%s>"
        .formatted(tag, number ? " class=\"number\"" : "", Html.escape(text), tag);
  }

  private boolean isOfNumbers(int column) {
    return !rows.isEmpty()
        && rows.stream().allMatch(row -> column < row.size() && isNumber(row.get(column)));
  }

  private static boolean isNumber(String text) {
    return text.matches("[±×]?[\\d,.]+( %)?( ±[\\d,.]+ %)?|–");
  }
}
