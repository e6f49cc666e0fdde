package org.lacis.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.Predicate;
import org.lacis.bench.report.Bar;
import org.lacis.bench.report.BarChart;
import org.lacis.bench.report.Curve;
import org.lacis.bench.report.LineChart;
import org.lacis.bench.report.Palette;
import org.lacis.report.Grid;
import org.lacis.report.Page;
import org.lacis.report.Piece;
import org.lacis.report.Words;

/** Results as a page for people. */
final class Report {
  private final List<Series> all;
  private final List<Piece> pieces = new ArrayList<>();
  private final Palette palette = new Palette();

  private Report(List<Series> all) {
    this.all = all;
  }

  static String of(Map<String, Object> machine, List<Series> all, List<String> failures) {
    var report = new Report(all);
    report.head(machine, failures);
    Set<String> networks = new LinkedHashSet<>();
    all.forEach(series -> networks.add(series.network()));
    for (String network : networks) {
      for (Group group : Group.values()) {
        report.group(network, group);
      }
    }
    return Page.html("Lacis beside its peers", report.pieces);
  }

  private void head(Map<String, Object> machine, List<String> failures) {
    pieces.add(
        new Grid(
            List.of("measured on", "this machine"),
            machine.entrySet().stream()
                .map(entry -> List.of(entry.getKey(), String.valueOf(entry.getValue())))
                .toList()));
    pieces.add(
        Words.paragraph(
            "Values are medians of samples that were taken in turn, round after round, of processes"
                + " that were started several times. “lacis : it” is Lacis' value divided by the"
                + " other's, the mean of the middle half of these ratios within each round: of"
                + " times, less than 1 is better for Lacis; of rates and bandwidths, more than 1."
                + " “memory” is no library, but the limit of all: two processes and a bare ring"
                + " between them, or one copy. Lines across bars go from quartile to quartile."
                + " Where cache lines took two kinds of time between the cores, rounds of the kind"
                + " that most had are told. What rests on less than three rounds, or on one start"
                + " of several, is in brackets; so is a ratio whose rounds are so far apart that"
                + " another run may tell one that differs by more than 15 %."));
    pieces.add(
        Words.paragraph(
            "Garbage collections in ranks of Lacis while they were measured: "
                + Results.collections(all)
                + ". There should be none."));
    failures.forEach(failure -> pieces.add(Words.paragraph("Failed: " + failure)));
    List<List<String>> verdicts = new ArrayList<>();
    for (Series series : all) {
      for (Target.Verdict verdict : Target.verdicts(series, all)) {
        Unit unit = series.measure().unit();
        verdicts.add(
            List.of(
                series.measure().title(),
                verdict.target().mark(unit),
                verdict.is(),
                verdict.outcome()));
      }
    }
    if (!verdicts.isEmpty()) {
      pieces.add(Words.heading("Targets"));
      pieces.add(new Grid(List.of("measure", "target", "measured", "outcome"), verdicts));
    }
  }

  private void group(String network, Group group) {
    List<Series> here =
        all.stream()
            .filter(s -> s.network().equals(network) && s.measure().group() == group)
            .filter(s -> s.measured().findAny().isPresent())
            .toList();
    if (here.isEmpty()) {
      return;
    }
    pieces.add(Words.heading(group.label() + ", " + network));
    figures(group, here);
    List<List<String>> rows = new ArrayList<>();
    for (Series series : here) {
      rows.add(List.of(heading(series)));
      series.measured().forEach(subject -> rows.add(row(series, subject)));
    }
    pieces.add(new Grid(List.of("", "median", "spread", "best", "lacis : it"), rows));
    here.forEach(this::percentiles);
  }

  private void percentiles(Series series) {
    List<String> header = new ArrayList<>(List.of(heading(series)));
    List<List<String>> rows = new ArrayList<>();
    for (Subject subject : series.measured().toList()) {
      SequencedMap<String, String> texts = Tables.percentiles(series, subject);
      if (!texts.isEmpty()) {
        List<String> row = new ArrayList<>(List.of(subject.name()));
        row.addAll(texts.sequencedValues());
        rows.add(row);
        if (header.size() == 1) {
          header.addAll(texts.sequencedKeySet());
        }
      }
    }
    if (!rows.isEmpty()) {
      pieces.add(new Grid(header, rows));
    }
  }

  private static String heading(Series series) {
    return series.measure().title()
        + ", "
        + series.measure().unit().label()
        + Tables.rounds(series);
  }

  private static List<String> row(Series series, Subject subject) {
    List<Double> values = series.values(subject);
    boolean own = subject.family() == Family.LACIS || series.lacis().isEmpty();
    return List.of(
        subject.name(),
        Tables.number(Statistics.median(values), series.basis().isEnough()),
        Tables.spread(values),
        Tables.number(Statistics.best(values, series.measure().unit())),
        own ? "" : Tables.ratio(series, series.lacis().orElseThrow(), subject));
  }

  private void figures(Group group, List<Series> here) {
    switch (group) {
      case LATENCY, RATE, RMA, COLLECTIVES, STARTUP -> here.forEach(this::bars);
      case BANDWIDTH ->
          lines(
              "Bandwidth by size of messages",
              "size of messages",
              here,
              s -> s.measure().verb().equals("bandwidth"),
              "bytes",
              x -> Agenda.size((int) x));
      case THREADS -> {
        for (String devices : List.of("dedicated", "shared")) {
          lines(
              "Message rate by threads, devices " + devices,
              "threads per rank",
              here,
              s -> devices.equals(s.measure().arguments().get("devices")),
              "threads",
              Report::whole);
        }
        lines(
            "Message rate by processes",
            "pairs of processes",
            here,
            s -> s.measure().arguments().containsKey("pairs"),
            "pairs",
            Report::whole);
      }
      case MATCHING -> pieces.addAll(new MatchingFigures(here, palette).pieces());
      case RESOURCES -> resources(here);
    }
  }

  private void bars(Series series) {
    List<Bar> bars = series.measured().map(subject -> bar(series, subject)).toList();
    pieces.add(
        new BarChart(series.measure().title(), label(series.measure().unit()), bars, palette));
  }

  /** A median, and the quartiles around it. */
  private static Bar bar(Series series, Subject subject) {
    return bar(subject.name(), series.values(subject));
  }

  /** The same, of values. */
  static Bar bar(String name, List<Double> values) {
    return new Bar(
        name,
        Statistics.median(values),
        Statistics.quantile(values, 0.25),
        Statistics.quantile(values, 0.75));
  }

  static String label(Unit unit) {
    return unit.label() + (unit.lessIsBetter() ? ", less is better" : ", more is better");
  }

  private void lines(
      String title,
      String along,
      List<Series> here,
      Predicate<Series> wanted,
      String argument,
      DoubleFunction<String> text) {
    Map<String, Curve> curves = new LinkedHashMap<>();
    String unit = "";
    for (Series series : here) {
      if (wanted.test(series)) {
        unit = label(series.measure().unit());
        double place = place(series, argument);
        series
            .measured()
            .forEach(
                subject ->
                    curves
                        .computeIfAbsent(subject.name(), name -> new Curve(name, new TreeMap<>()))
                        .points()
                        .put(place, series.median(subject)));
      }
    }
    if (!curves.isEmpty()) {
      pieces.add(
          new LineChart(
              title, along, unit, true, true, List.copyOf(curves.values()), text, palette));
    }
  }

  private void resources(List<Series> here) {
    Map<String, Curve> curves = new LinkedHashMap<>();
    for (Series series : here) {
      Measure measure = series.measure();
      String name = measure.title().replaceFirst(",.*", "");
      series
          .lacis()
          .ifPresent(
              lacis ->
                  curves
                      .computeIfAbsent(name, n -> new Curve(n, new TreeMap<>()))
                      .points()
                      .put(place(series, "threads"), series.median(lacis)));
    }
    pieces.add(
        new LineChart(
            "Throughput of single resources by threads",
            "threads",
            label(Unit.RATE),
            true,
            true,
            List.copyOf(curves.values()),
            Report::whole,
            palette));
  }

  private static double place(Series series, String argument) {
    return Double.parseDouble(series.measure().arguments().getOrDefault(argument, "1"));
  }

  private static String whole(double value) {
    return Long.toString(Math.round(value));
  }
}
