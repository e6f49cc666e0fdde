package org.lacis.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;

/** Results as lines for a terminal. */
final class Tables {
  /** What the last column says. */
  static final String LEGEND =
      "  lacis : it is Lacis' value divided by the other's: of times less than 1 is better, of"
          + " rates and bandwidths more than 1; in brackets what another run may tell otherwise";

  private Tables() {}

  /** The results of a group over a network. */
  static String group(List<Series> all, String network, Group group) {
    var text = new StringBuilder();
    List<Series> here =
        all.stream()
            .filter(s -> s.network().equals(network) && s.measure().group() == group)
            .filter(s -> s.measured().findAny().isPresent())
            .toList();
    if (here.isEmpty()) {
      return "";
    }
    line(
        text,
        "%-34s %10s %8s %10s %14s",
        group.label() + ", " + network,
        "median",
        "spread",
        "best",
        "lacis : it");
    for (Series series : here) {
      Measure measure = series.measure();
      line(text, "  %s, %s%s", measure.title(), measure.unit().label(), rounds(series));
      series.measured().forEach(subject -> subject(text, series, subject));
      for (Target.Verdict verdict : Target.verdicts(series, all)) {
        line(text, "    target %s", verdict.text(measure.unit()));
      }
    }
    return text.append('\n').toString();
  }

  private static void subject(StringBuilder text, Series series, Subject subject) {
    List<Double> values = series.values(subject);
    Optional<Subject> lacis = series.lacis();
    String ratio =
        lacis.isEmpty() || lacis.get() == subject ? "" : ratio(series, lacis.get(), subject);
    line(
        text,
        "    %-30s %10s %8s %10s %14s",
        subject.name(),
        number(Statistics.median(values), series.basis().isEnough()),
        spread(values),
        number(Statistics.best(values, series.measure().unit())),
        ratio);
    percentiles(text, series, subject);
    long collections = series.collections(subject);
    if (subject.family() == Family.LACIS && collections > 0) {
      line(text, "      %d garbage collections meanwhile; there should be none", collections);
    }
  }

  /**
   * How many times a subject's value Lacis' is, in brackets if another run may tell something else,
   * and how far apart that is between rounds.
   */
  static String ratio(Series series, Subject lacis, Subject subject) {
    Ratios ratios = series.ratios(lacis, subject);
    return number(ratios.middle(), ratios.isReliable()) + " " + spread(ratios.values());
  }

  /** The rounds that a series is told for, if they are not all of them, or too few. */
  static String rounds(Series series) {
    List<String> words = new ArrayList<>();
    if (series.state() != State.STEADY) {
      words.add(series.state().label());
      words.add("%d of %d rounds".formatted(series.told().size(), series.rounds().size()));
    }
    if (!series.basis().isEnough()) {
      words.add("too few to rely on");
    }
    return words.isEmpty() ? "" : " (" + String.join(", ", words) + ")";
  }

  private static void percentiles(StringBuilder text, Series series, Subject subject) {
    List<String> words = new ArrayList<>();
    percentiles(series, subject).forEach((name, value) -> words.add(name + " " + value));
    if (!words.isEmpty()) {
      line(text, "      %s", String.join(", ", words));
    }
  }

  /** How long so many of the requests took at most; empty where each was not timed. */
  static SequencedMap<String, String> percentiles(Series series, Subject subject) {
    SequencedMap<String, String> texts = new LinkedHashMap<>();
    for (String name : List.of("p90", "p99", "p999", "max")) {
      List<Double> values = Results.more(series, subject, name);
      if (!values.isEmpty()) {
        String label =
            switch (name) {
              case "p90" -> "90 %";
              case "p99" -> "99 %";
              case "p999" -> "99.9 %";
              default -> "longest";
            };
        texts.put(label, number(Statistics.median(values)));
      }
    }
    return texts;
  }

  /** How far values are apart; of a single one, nothing is known. */
  static String spread(List<Double> values) {
    double spread = Statistics.spread(values);
    return Double.isNaN(spread) ? "±?" : "±%.0f %%".formatted(100 * spread);
  }

  /** A number, in brackets if it rests on too little. */
  static String number(double value, boolean enough) {
    return enough || Double.isNaN(value) ? number(value) : "(" + number(value) + ")";
  }

  /** A number with three digits that count, of less than a tenth with two. */
  static String number(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    double size = Math.abs(value);
    String format =
        size >= 1000
            ? "%,.0f"
            : size >= 100
                ? "%.0f"
                : size >= 10 ? "%.1f" : size >= 0.1 || size == 0 ? "%.2f" : "%.2g";
    return String.format(Locale.ROOT, format, value);
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }
}
