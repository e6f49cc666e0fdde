package org.lacis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Two runs beside each other: whether they agree about how many times another's value Lacis' is.
 * Only rounds in which cache lines took the same kind of time are compared.
 */
final class Comparison {
  /** Two runs agree about a ratio if they differ by no more than this share of it. */
  private static final double AGREEMENT = 0.15;

  private record Sample(
      String measure, String round, double before, double after, String subject, double value) {
    boolean isOfLacis() {
      return subject.equals("lacis");
    }
  }

  /** A subject in a measure. */
  private record Row(String measure, String subject) {}

  /** The ratios of both runs, of the rounds in one state. */
  private record Pair(State state, double first, double second) {
    boolean agrees() {
      return Math.abs(change()) <= AGREEMENT;
    }

    double change() {
      return second / first - 1;
    }
  }

  private Comparison() {}

  /**
   * A table of ratios, and how many of them agree.
   *
   * @param first a folder that {@code --out} named, or a {@code results.csv}
   * @param second the same of another run
   * @throws IllegalArgumentException if one of them has no results
   */
  static String of(Path first, Path second) throws IOException {
    List<Sample> one = read(first);
    List<Sample> other = read(second);
    double parting =
        Statistics.parting(
            Stream.concat(one.stream(), other.stream())
                .flatMap(sample -> Stream.of(sample.before, sample.after))
                .filter(bounce -> !bounce.isNaN())
                .toList(),
            Results.PARTING);
    Map<Row, Map<State, List<Double>>> before = ratios(one, parting);
    Map<Row, Map<State, List<Double>>> after = ratios(other, parting);
    var text = new StringBuilder();
    line(text, "%-50s %10s %10s %10s", "lacis : it", "first", "second", "change");
    int agreed = 0;
    int compared = 0;
    String measure = "";
    for (Map.Entry<Row, Map<State, List<Double>>> entry : before.entrySet()) {
      Row row = entry.getKey();
      Optional<Pair> found = pair(entry.getValue(), after.getOrDefault(row, Map.of()));
      if (found.isEmpty()) {
        continue;
      }
      Pair pair = found.get();
      if (!row.measure.equals(measure)) {
        measure = row.measure;
        line(text, "  %s%s", measure, pair.state == State.STEADY ? "" : ", " + pair.state.label());
      }
      compared++;
      agreed += pair.agrees() ? 1 : 0;
      line(
          text,
          "    %-46s %10s %10s %8.0f %%%s",
          row.subject,
          Tables.number(pair.first),
          Tables.number(pair.second),
          100 * pair.change(),
          pair.agrees() ? "" : "  *");
    }
    line(
        text,
        "%d of %d ratios agree within %.0f %%, others have a star; %d of the first are not"
            + " compared, for want of rounds in the same state",
        agreed,
        compared,
        100 * AGREEMENT,
        before.size() - compared);
    return text.toString();
  }

  /** The state that most rounds of both have in common. */
  private static Optional<Pair> pair(
      Map<State, List<Double>> first, Map<State, List<Double>> second) {
    Optional<Pair> pair = Optional.empty();
    int most = 0;
    for (Map.Entry<State, List<Double>> entry : first.entrySet()) {
      State state = entry.getKey();
      List<Double> ours = entry.getValue();
      List<Double> others = second.getOrDefault(state, List.of());
      int common = Math.min(ours.size(), others.size());
      if (state != State.MIXED && common > most) {
        most = common;
        pair = Optional.of(new Pair(state, Statistics.median(ours), Statistics.median(others)));
      }
    }
    return pair;
  }

  private static Map<Row, Map<State, List<Double>>> ratios(List<Sample> samples, double parting) {
    Map<String, Double> lacis = new LinkedHashMap<>();
    for (Sample sample : samples) {
      if (sample.isOfLacis()) {
        lacis.put(sample.measure + " " + sample.round, sample.value);
      }
    }
    Map<Row, Map<State, List<Double>>> ratios = new LinkedHashMap<>();
    for (Sample sample : samples) {
      Double ours = lacis.get(sample.measure + " " + sample.round);
      if (ours != null && !sample.isOfLacis()) {
        ratios
            .computeIfAbsent(
                new Row(sample.measure, sample.subject), _ -> new EnumMap<>(State.class))
            .computeIfAbsent(State.of(sample.before, sample.after, parting), _ -> new ArrayList<>())
            .add(ours / sample.value);
      }
    }
    return ratios;
  }

  private static List<Sample> read(Path place) throws IOException {
    Path file = Files.isDirectory(place) ? place.resolve("results.csv") : place;
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("there are no results: no file " + file, e);
    }
    if (lines.isEmpty() || !lines.getFirst().startsWith("network,")) {
      throw new IllegalArgumentException(file + " is no results.csv of lacis bench");
    }
    List<String> names = cells(lines.getFirst());
    List<Sample> samples = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      try {
        samples.add(sample(names, cells(lines.get(i))));
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        throw new IllegalArgumentException(file + ", line " + (i + 1) + " makes no sense", e);
      }
    }
    return samples;
  }

  private static Sample sample(List<String> names, List<String> cells) {
    return new Sample(
        cells.get(names.indexOf("measure")).replace("\"", "")
            + " over "
            + cells.get(names.indexOf("network")),
        cells.get(names.indexOf("round")),
        number(cells.get(names.indexOf("before_ns"))),
        number(cells.get(names.indexOf("after_ns"))),
        cells.get(names.indexOf("subject")),
        Double.parseDouble(cells.get(names.indexOf("value"))));
  }

  private static double number(String text) {
    return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
  }

  /** Commas between quotation marks belong to a cell. */
  private static List<String> cells(String line) {
    return Arrays.asList(line.split(",(?=([^\"]*\"[^\"]*\")*[^\"]*$)", -1));
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }
}
