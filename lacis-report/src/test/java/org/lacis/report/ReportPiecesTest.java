package org.lacis.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportPiecesTest {
  @Test
  void numbersAreSetToTheRightAndWhatIsAboveThemToo() {
    assertThat(
            new Grid(List.of("a", "b"), List.of(List.of("1.5", "y"), List.of("2", "<x>"))).html())
        .contains("<th class=\"number\">a</th><th>b</th>")
        .contains("<td class=\"number\">1.5</td><td>y</td>", "<td>&lt;x&gt;</td>");
    assertThat(new Grid(List.of("a"), List.of()).html()).contains("<th>a</th>");
    assertThat(new Grid(List.of("a"), List.of(List.of("2"), List.of("x"))).html())
        .contains("<td>2</td>");
    assertThat(new Grid(List.of("a", "b"), List.of(List.of("c d"), List.of("x", "1 ±2 %"))).html())
        .contains("<th class=\"number\">b</th>", "<th colspan=\"2\">c d</th>")
        .contains("<td class=\"number\">1 ±2 %</td>");
  }

  @Test
  void aPageNeedsNothingBesideItself() {
    assertThat(Page.html("a < b", List.of(Words.heading("c & d"))))
        .startsWith("<!DOCTYPE html>")
        .endsWith("</html>\n")
        .contains("<title>a &lt; b</title>", "<h2>c &amp; d</h2>", "@media print", "viewport")
        .doesNotContain("<script", "<link", "http:", "https:", "src=");
  }

  @Test
  void everythingBecomesJson() {
    assertThat(Json.of(Map.of("list", List.of(1, Double.NaN, true, 0.25), "empty", List.of())))
        .contains("\"list\": [1, null, true, 0.25]", "\"empty\": []");
    assertThat(Json.of("a \"quoted\"\nline")).isEqualTo("\"a \\\"quoted\\\"\\u000aline\"\n");
  }

  @Test
  void marksTellTheirNumber() {
    var svg = new Svg("t & t", 100, 50);
    svg.bar("kind", 0, 0, 0, 10, "none < some");
    svg.dot("#123456", 1, 2, "dot");
    assertThat(svg.finish())
        .startsWith("<svg class=\"figure\" role=\"img\" aria-label=\"t &amp; t\"")
        .contains("width=\"0.50\"", "<title>none &lt; some</title>", "cx=\"1.0\" cy=\"2.0\"")
        .endsWith("</svg>\n");
  }
}
