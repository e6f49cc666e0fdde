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
  private static final String LACIS = "lacis";

  /** A subject in a measure. */
  private record Row(String measure, String subject) {}

  /** How many times another's value Lacis' was in a round. */
  private record Sampled(State state, Ratios.Ratio ratio) {}

  /** All ratios of a subject in a measure, in one run. */
  private record Run(List<Sampled> all) {
    static final Run NONE = new Run(List.of());

    Ratios in(State state) {
      int starts = (int) all.stream().mapToInt(sampled -> sampled.ratio.start()).distinct().count();
      return new Ratios(
          all.stream().filter(sampled -> sampled.state == state).map(Sampled::ratio).toList(),
          starts);
    }
  }

  private final Map<Row, Run> first;
  private final Map<Row, Run> second;
  private final StringBuilder text = new StringBuilder();
  private int agreed;
  private int compared;
  private int single;
  private int apart;
  private int unsteady;
  private int unsteadyAgreed;

  private Comparison(Map<Row, Run> first, Map<Row, Run> second) {
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
      compare(row.subject, first.getOrDefault(row, Run.NONE), second.getOrDefault(row, Run.NONE));
    }
    line(
        "%d of %d ratios agree within %.0f %%, others have a star",
        agreed, compared, 100 * Ratios.AGREEMENT);
    line(
        "%d of %d more do, which swing so much within a run that this may be luck; they are in"
            + " brackets",
        unsteadyAgreed, unsteady);
    line(
        "%d of %d were not compared: %d are in one run only, %d have too few rounds in the same"
            + " state",
        single + apart, rows.size(), single, apart);
    return text.toString();
  }

  private void compare(String subject, Run one, Run other) {
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
    Ratios ours = one.in(state);
    Ratios others = other.in(state);
    double change = others.middle() / ours.middle() - 1;
    boolean steady = ours.isReliable() && others.isReliable();
    boolean agrees = Math.abs(change) <= Ratios.AGREEMENT;
    if (steady) {
      compared++;
      agreed += agrees ? 1 : 0;
    } else {
      unsteady++;
      unsteadyAgreed += agrees ? 1 : 0;
    }
    line(
        "    %-46s %10s %10s %8.0f %%%s%s",
        subject,
        Tables.number(ours.middle(), ours.isReliable()),
        Tables.number(others.middle(), others.isReliable()),
        100 * change,
        state == State.STEADY ? "" : "  " + state.label(),
        agrees ? "" : "  *");
  }

  /** The state in which both have enough rounds; of two, the one in which both have more. */
  private static Optional<State> common(Run one, Run other) {
    Optional<State> best = Optional.empty();
    int most = 0;
    for (State state : List.of(State.NEAR, State.FAR, State.STEADY)) {
      Basis ours = one.in(state).basis();
      Basis others = other.in(state).basis();
      int rounds = Math.min(ours.rounds(), others.rounds());
      if (ours.isEnough() && others.isEnough() && rounds > most) {
        most = rounds;
        best = Optional.of(state);
      }
    }
    return best;
  }

  /** The states of the rounds of a run, in words. */
  private static String rounds(Run run) {
    List<String> words = new ArrayList<>();
    for (State state : State.values()) {
      Basis basis = run.in(state).basis();
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

  private static Map<Row, Run> ratios(List<Sample> samples, double parting) {
    Map<String, Double> lacis = new HashMap<>();
    Map<String, List<Double>> bounces = new HashMap<>();
    for (Sample sample : samples) {
      bounces
          .computeIfAbsent(round(sample), _ -> new ArrayList<>())
          .addAll(List.of(sample.before(), sample.after()));
      if (sample.subject().equals(LACIS)) {
        lacis.put(round(sample), sample.value());
      }
    }
    Map<Row, Run> ratios = new LinkedHashMap<>();
    for (Sample sample : samples) {
      Double ours = lacis.get(round(sample));
      if (ours != null && !sample.subject().equals(LACIS)) {
        ratios
            .computeIfAbsent(
                new Row(sample.measure(), sample.subject()), _ -> new Run(new ArrayList<>()))
            .all
            .add(
                new Sampled(
                    State.of(bounces.getOrDefault(round(sample), List.of()), parting),
                    new Ratios.Ratio(sample.start(), ours / sample.value())));
      }
    }
    return ratios;
  }

  private static String round(Sample sample) {
    return sample.measure() + " " + sample.round();
  }

  private void line(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }
}
