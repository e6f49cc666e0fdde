package org.lacis.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.lacis.bench.ResultsFile.Sample;

/**
 * Two runs beside each other: whether they agree about how many times another's value Lacis' is.
 * Only rounds in which cache lines took the same kind of time are compared, and only if there are
 * enough of them in both runs.
 */
final class Comparison {
  /** Two runs agree about a ratio if they differ by no more than this share of it. */
  private static final double AGREEMENT = 0.15;

  private static final String LACIS = "lacis";

  /** A subject in a measure. */
  private record Row(String measure, String subject) {}

  /** How many times another's value Lacis' was in a round. */
  private record Ratio(State state, int start, double value) {}

  /** All ratios of a subject in a measure, in one run. */
  private record Ratios(List<Ratio> all) {
    static final Ratios NONE = new Ratios(List.of());

    List<Ratio> in(State state) {
      return all.stream().filter(ratio -> ratio.state == state).toList();
    }

    Basis basis(State state) {
      int starts = (int) all.stream().mapToInt(Ratio::start).distinct().count();
      return Basis.of(in(state).stream().map(Ratio::start).toList(), starts);
    }

    double middle(State state) {
      return Statistics.middle(in(state).stream().map(Ratio::value).toList());
    }
  }

  private final Map<Row, Ratios> first;
  private final Map<Row, Ratios> second;
  private final StringBuilder text = new StringBuilder();
  private int agreed;
  private int compared;
  private int single;
  private int apart;

  private Comparison(Map<Row, Ratios> first, Map<Row, Ratios> second) {
    this.first = first;
    this.second = second;
  }

  /**
   * A table of ratios, how many of them agree, and which were not compared and why.
   *
   * @param first a folder that {@code --out} named, or a {@code results.csv}
   * @param second the same of another run
   * @throws IllegalArgumentException if one of them has no results
   */
  static String of(Path first, Path second) throws IOException {
    List<Sample> one = ResultsFile.read(first);
    List<Sample> other = ResultsFile.read(second);
    double parting =
        Statistics.parting(
            Stream.concat(one.stream(), other.stream())
                .flatMap(sample -> Stream.of(sample.before(), sample.after()))
                .filter(bounce -> !bounce.isNaN())
                .toList(),
            Results.PARTING);
    return new Comparison(ratios(one, parting), ratios(other, parting)).table();
  }

  private String table() {
    line("%-50s %10s %10s %10s", "lacis : it", "first", "second", "change");
    Set<Row> rows = new LinkedHashSet<>(first.keySet());
    rows.addAll(second.keySet());
    String measure = "";
    for (Row row : rows) {
      if (!row.measure.equals(measure)) {
        measure = row.measure;
        line("  %s", measure);
      }
      compare(
          row.subject, first.getOrDefault(row, Ratios.NONE), second.getOrDefault(row, Ratios.NONE));
    }
    line(
        "%d of %d ratios agree within %.0f %%, others have a star",
        agreed, compared, 100 * AGREEMENT);
    line(
        "%d of %d were not compared: %d are in one run only, %d have too few rounds in the same"
            + " state",
        single + apart, rows.size(), single, apart);
    return text.toString();
  }

  private void compare(String subject, Ratios one, Ratios other) {
    if (one.all.isEmpty() || other.all.isEmpty()) {
      single++;
      line("    %-46s in the %s run only", subject, one.all.isEmpty() ? "second" : "first");
      return;
    }
    Optional<State> common = common(one, other);
    if (common.isEmpty()) {
      apart++;
      line("    %-46s not compared: %s; %s", subject, rounds(one), rounds(other));
      return;
    }
    State state = common.get();
    double ours = one.middle(state);
    double others = other.middle(state);
    double change = others / ours - 1;
    boolean agrees = Math.abs(change) <= AGREEMENT;
    compared++;
    agreed += agrees ? 1 : 0;
    line(
        "    %-46s %10s %10s %8.0f %%%s%s",
        subject,
        Tables.number(ours),
        Tables.number(others),
        100 * change,
        state == State.STEADY ? "" : "  " + state.label(),
        agrees ? "" : "  *");
  }

  /** The state in which both have enough rounds; of two, the one in which both have more. */
  private static Optional<State> common(Ratios one, Ratios other) {
    Optional<State> best = Optional.empty();
    int most = 0;
    for (State state : List.of(State.NEAR, State.FAR, State.STEADY)) {
      Basis ours = one.basis(state);
      Basis others = other.basis(state);
      int rounds = Math.min(ours.rounds(), others.rounds());
      if (ours.isEnough() && others.isEnough() && rounds > most) {
        most = rounds;
        best = Optional.of(state);
      }
    }
    return best;
  }

  /** The states of the rounds of a run, in words. */
  private static String rounds(Ratios ratios) {
    List<String> words = new ArrayList<>();
    for (State state : State.values()) {
      Basis basis = ratios.basis(state);
      if (basis.rounds() > 0) {
        words.add(
            "%d %s of %d %s"
                .formatted(
                    basis.rounds(),
                    state.label(),
                    basis.starts(),
                    basis.starts() == 1 ? "start" : "starts"));
      }
    }
    return String.join(", ", words);
  }

  private static Map<Row, Ratios> ratios(List<Sample> samples, double parting) {
    Map<String, Double> lacis = new HashMap<>();
    for (Sample sample : samples) {
      if (sample.subject().equals(LACIS)) {
        lacis.put(sample.measure() + " " + sample.round(), sample.value());
      }
    }
    Map<Row, Ratios> ratios = new LinkedHashMap<>();
    for (Sample sample : samples) {
      Double ours = lacis.get(sample.measure() + " " + sample.round());
      if (ours != null && !sample.subject().equals(LACIS)) {
        ratios
            .computeIfAbsent(
                new Row(sample.measure(), sample.subject()), _ -> new Ratios(new ArrayList<>()))
            .all
            .add(
                new Ratio(
                    State.of(sample.before(), sample.after(), parting),
                    sample.start(),
                    ours / sample.value()));
      }
    }
    return ratios;
  }

  private void line(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }
}
