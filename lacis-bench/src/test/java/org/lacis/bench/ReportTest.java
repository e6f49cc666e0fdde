package org.lacis.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lacis.bench.Fakes.round;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.lacis.bench.report.Bar;
import org.lacis.bench.report.BarChart;
import org.lacis.bench.report.Curve;
import org.lacis.bench.report.LineChart;
import org.lacis.bench.report.Palette;
import org.lacis.report.Html;

class ReportTest {
  private static final Pattern MARK =
      Pattern.compile("<circle[^>]* cx=\"([\\d.]+)\" cy=\"([\\d.]+)\"[^>]*><title>([^<]*)<");
  private static final Pattern BAR =
      Pattern.compile("<rect[^>]* width=\"([\\d.]+)\" [^>]*><title>([^<]*)<");

  private static final Pattern LABEL =
      Pattern.compile("<text text-anchor=\"end\" x=\"([\\d.]+)\"[^>]*>([^<]*)<");

  private static final Pattern SPREAD =
      Pattern.compile("<line class=\"spread\" x1=\"([\\d.]+)\" y1=[^>]* x2=\"([\\d.]+)\"");

  private static final List<Subject> SUBJECTS =
      List.of(
          Fakes.subject("lacis", Family.LACIS),
          Fakes.subject("mpi <&\"1\">", Family.MPI),
          Fakes.subject("memory", Family.MEMORY));

  /** Everything on the agenda, with made-up values. */
  private static List<Series> everything() {
    List<Series> all = new ArrayList<>();
    int i = 0;
    for (Measure measure : Agenda.of(EnumSet.allOf(Group.class), false, 2)) {
      List<Round> rounds = new ArrayList<>();
      for (int k = 0; k < 3; k++) {
        rounds.add(round(50, 60, "lacis", 100 + i + k, "mpi <&\"1\">", 200 + i, "memory", 50));
      }
      all.add(new Series("shm", measure, SUBJECTS, rounds, Double.NaN));
      i++;
    }
    return all;
  }

  @Test
  void everyValueHasItsMark() {
    var chart =
        new LineChart(
            "t",
            "x",
            "y",
            true,
            true,
            List.of(
                new Curve("a", new TreeMap<>(Map.of(1.0, 1.0, 10.0, 10.0, 100.0, 100.0))),
                new Curve("b", new TreeMap<>(Map.of(10.0, 31.6227766)))),
            x -> "at " + (int) x,
            new Palette());
    var marks = MARK.matcher(chart.html()).results().toList();
    assertThat(marks)
        .extracting(mark -> mark.group(3))
        .containsExactly("a, at 1: 1", "a, at 10: 10", "a, at 100: 100", "b, at 10: 31.62");
    // Equal factors are equally far apart, in both directions.
    double x1 = Double.parseDouble(marks.get(0).group(1));
    double x10 = Double.parseDouble(marks.get(1).group(1));
    double x100 = Double.parseDouble(marks.get(2).group(1));
    assertThat(x10 - x1).isCloseTo(x100 - x10, within());
    double y1 = Double.parseDouble(marks.get(0).group(2));
    double y10 = Double.parseDouble(marks.get(1).group(2));
    double y100 = Double.parseDouble(marks.get(2).group(2));
    double y31 = Double.parseDouble(marks.get(3).group(2));
    assertThat(y1 - y10).isCloseTo(y10 - y100, within());
    assertThat(y31).isCloseTo((y10 + y100) / 2, within());
    assertThat(Double.parseDouble(marks.get(3).group(1))).isEqualTo(x10);
  }

  private static org.assertj.core.data.Offset<Double> within() {
    return org.assertj.core.data.Offset.offset(0.2);
  }

  @Test
  void barsAreAsLongAsTheirValues() {
    var bars =
        List.of(new Bar("one", 10, 9, 12), new Bar("two", 20, 20, 20), new Bar("none", 0, 0, 0));
    String html = new BarChart("t", "l", bars, new Palette()).html();
    var found = BAR.matcher(html).results().toList();
    assertThat(found)
        .extracting(bar -> bar.group(2))
        .containsExactly("one: 10", "two: 20", "none: 0");
    double one = Double.parseDouble(found.get(0).group(1));
    assertThat(Double.parseDouble(found.get(1).group(1))).isCloseTo(2 * one, within());
    assertThat(Double.parseDouble(found.get(2).group(1))).isZero();
    // The spread of one of them, across its end.
    var spread = SPREAD.matcher(html).results().toList();
    assertThat(spread).hasSize(3);
    double zero = 92;
    assertThat(Double.parseDouble(spread.getFirst().group(1)) - zero)
        .isCloseTo(0.9 * one, within());
    assertThat(Double.parseDouble(spread.getFirst().group(2)) - zero)
        .isCloseTo(1.2 * one, within());
  }

  @Test
  void aSubjectHasOneColourInAllFigures() {
    var page = Report.of(Map.of(), everything(), List.of());
    for (Subject subject : SUBJECTS) {
      String name = Html.escape(subject.name());
      assertThat(
              Pattern.compile("fill=\"(#\\w+)\"[^>]*><title>" + Pattern.quote(name) + "[:,<]")
                  .matcher(page)
                  .results()
                  .map(mark -> mark.group(1))
                  .distinct())
          .hasSize(1);
    }
  }

  @Test
  void aPageNeedsNothingBesideItself() {
    String page = Report.of(Machine.describe(), everything(), List.of("x failed <b>"));
    assertThat(page).doesNotContain("<script", "http://", "https://", "<link", "src=", "mpi <&");
    assertThat(page).contains("mpi &lt;&amp;&quot;1&quot;&gt;", "x failed &lt;b&gt;");
    for (String figure :
        List.of(
            "Bandwidth by size of messages",
            "Message rate by threads, devices dedicated",
            "Message rate by threads, devices shared",
            "Message rate by processes",
            "Throughput of single resources by threads")) {
      assertThat(page).contains("<figcaption>" + figure);
    }
  }

  @Test
  void marksOfTheReportAreTheMediansOfTheData() {
    List<Series> all = everything();
    String page = Report.of(Map.of(), all, List.of());
    for (Series series : all) {
      if (series.measure().verb().equals("bandwidth")) {
        String told =
            "lacis, "
                + series.measure().title()
                + ": "
                + Math.round(series.median(SUBJECTS.getFirst()))
                + "<";
        assertThat(page).contains(told);
      }
    }
  }

  @Test
  void matchingIsOneFigureGroupedByVariant() {
    String page = Report.of(Map.of(), everything(), List.of());
    int from = page.indexOf("<figcaption>Message rate by matching engine<");
    assertThat(from).isPositive();
    String figure = page.substring(from, page.indexOf("</figure>", from));
    int wc = figure.indexOf(">WC: 100 receives");
    int slow = figure.indexOf(">WC without fast path");
    assertThat(figure.indexOf(">NC: 100 receives")).isPositive().isLessThan(wc);
    assertThat(slow).isGreaterThan(wc);
    List<String> without =
        List.of("lacis, lists", "lacis, hash", "lacis, ordered", "lacis, ordered, 1 thread");
    List<String> with = List.of("lacis, ordered, 2 threads", "lacis, ordered, 4 threads");
    List<String> others = List.of("mpi &lt;&amp;&quot;1&quot;&gt;", "memory");
    List<String> all = new ArrayList<>(without);
    all.addAll(with);
    all.addAll(others);
    assertThat(bars(figure.substring(0, wc))).containsExactlyElementsOf(all);
    assertThat(bars(figure.substring(wc, slow))).containsExactlyElementsOf(all);
    all.removeAll(without);
    assertThat(bars(figure.substring(slow))).containsExactlyElementsOf(all);
  }

  private static List<String> bars(String figure) {
    return BAR.matcher(figure)
        .results()
        .map(bar -> bar.group(2).replaceFirst(": [\\d.,]+$", ""))
        .toList();
  }

  @Test
  void matchingIsOfOneStateAndEveryValueOfAPeerCounts() {
    Measure hash = matching("hash");
    Measure list = matching("list");
    var subjects = SUBJECTS.subList(0, 2);
    String peer = subjects.get(1).name();
    var near = List.of(round(50, 50, "lacis", 10, peer, 4), round(50, 50, "lacis", 12, peer, 6));
    var both =
        List.of(
            round(50, 50, "lacis", 20, peer, 8),
            round(250, 250, "lacis", 1, peer, 1),
            round(250, 250, "lacis", 1, peer, 1));
    var far = List.of(round(250, 250, "lacis", 3, peer, 1));
    var all =
        List.of(
            new Series("shm", hash, subjects, near, 100),
            new Series("shm", list, subjects, both, 100),
            new Series("shm", matching("ordered"), subjects, far, 100));
    String page = Report.of(Map.of(), all, List.of());
    assertThat(page).contains("Message rate by matching engine (far)<");
    assertThat(page).contains(">lacis, lists: 1<", ">lacis, ordered: 3<");
    assertThat(page).contains(">lacis, hash, near: 11<", ">mpi &lt;&amp;&quot;1&quot;&gt;: 1<");
  }

  private static Measure matching(String engine) {
    var how = Map.of("engine", engine, "kind", "nc", "window", "100");
    return new Measure(
        Group.MATCHING, "matching", how, engine, Unit.RATE, 100, 2, Placement.PINNED);
  }

  @Test
  void percentilesOfRequestsAreOnThePage() {
    var reading = Reading.of(150, 1, Map.of("p50", 150.0, "p90", 181.0, "max", 9000.0));
    var series =
        new Series(
            "shm",
            Fakes.measure("paced-latency", Unit.EACH),
            List.of(SUBJECTS.getFirst()),
            List.of(new Round(0, Map.of("lacis", reading))),
            Double.NaN);
    assertThat(Report.of(Map.of(), List.of(series), List.of()))
        .contains(">90 %<", ">181<", ">longest<", ">9,000<");
  }

  @Test
  void labelsOfAnAxisHaveRoom() {
    var curve = new Curve("a", new TreeMap<>(Map.of(1.0, 0.00012, 2.0, 123_456.0)));
    var chart = new LineChart("t", "x", "y", true, true, List.of(curve), x -> "", new Palette());
    var labels = LABEL.matcher(chart.html()).results().toList();
    assertThat(labels).extracting(label -> label.group(2)).contains("0.00010", "100,000");
    for (var label : labels) {
      // A digit is 7 pixels wide at this size of type.
      assertThat(Double.parseDouble(label.group(1)))
          .isGreaterThanOrEqualTo(7 * label.group(2).length());
    }
  }

  @Test
  void dataHasEverySample() {
    List<Series> all = everything();
    List<String> lines = Data.csv(all).lines().toList();
    assertThat(lines).hasSize(1 + all.size() * 3 * 3);
    int columns = lines.getFirst().split(",").length;
    assertThat(lines.getFirst())
        .startsWith("network,group,measure,unit,start,round,state,before_ns");
    assertThat(lines.get(1))
        .isEqualTo(
            "shm,latency,\"am-latency\",ns one way,0,0,steady,50.0000,60.0000,lacis,lacis,"
                + "100.000,1,1.00000,,,,,,");
    assertThat(columns).isEqualTo(20);
    String json = Data.json(Map.of("cores", 2), all, List.of("a \"quoted\"\nline"));
    assertThat(json)
        .contains("\"cores\": 2", "a \\\"quoted\\\"\\u000aline", "\"measure\": \"am-latency\"")
        .contains("\"mark\": \"≤ 0.60 × the best MPI\"")
        .doesNotContain("NaN");
  }
}
