package org.lacis.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lacis.bench.report.Bar;
import org.lacis.bench.report.BarGroup;
import org.lacis.bench.report.GroupedBarChart;
import org.lacis.bench.report.Palette;
import org.lacis.report.Piece;
import org.lacis.report.Words;

/**
 * Message rates of all matching engines and peers, side by side, by variant. An engine is measured
 * beside all peers; of a peer, all values of the variant count.
 */
final class MatchingFigures {
  private static final List<String> ENGINES = List.of("list", "hash", "ordered", "offload");

  /** Variants in the order of the figure, with what they are called. */
  private enum Variant {
    NC("NC: 100 receives of different tags, no conflicts"),
    WC("WC: 100 receives of one tag, conflicts; matching threads with fast path"),
    WC_SLOW("WC without fast path: matching threads only"),
    REVERSE("1000 receives, in the reverse order of their messages");

    final String title;

    Variant(String title) {
      this.title = title;
    }

    static Variant of(Series series) {
      Map<String, String> how = series.measure().arguments();
      return switch (how.getOrDefault("kind", "")) {
        case "nc" -> NC;
        case "wc" -> "slow".equals(how.get("path")) ? WC_SLOW : WC;
        default -> REVERSE;
      };
    }
  }

  private final Map<Variant, List<Series>> variants = new EnumMap<>(Variant.class);
  private final Palette palette;
  private final State state;
  private final String label;

  /**
   * Figures of a network.
   *
   * @param here all that was measured of matching
   */
  MatchingFigures(List<Series> here, Palette palette) {
    this.palette = palette;
    here.stream()
        .sorted(Comparator.comparingInt(series -> ENGINES.indexOf(engine(series))))
        .forEach(
            series ->
                variants.computeIfAbsent(Variant.of(series), _ -> new ArrayList<>()).add(series));
    state = state(here);
    label = Report.label(here.getFirst().measure().unit());
  }

  List<Piece> pieces() {
    List<Piece> pieces = new ArrayList<>();
    add(pieces, "Message rate by matching engine", Variant.NC, Variant.WC, Variant.WC_SLOW);
    add(pieces, "Message rate by matching engine, reversed", Variant.REVERSE);
    pieces.add(
        Words.paragraph(
            "lacis, lists and lacis, ordered match in MPI's order, the latter by tables, and by so"
                + " many matching threads in each rank where it says so; lacis, hash is the"
                + " default, which keeps no order between tags. Ranks and matching threads share "
                + Cores.count()
                + " cores here."));
    return pieces;
  }

  private void add(List<Piece> pieces, String title, Variant... wanted) {
    List<BarGroup> groups = new ArrayList<>();
    for (Variant variant : wanted) {
      List<Series> all = variants.getOrDefault(variant, List.of());
      if (!all.isEmpty()) {
        groups.add(new BarGroup(variant.title, bars(all)));
      }
    }
    if (!groups.isEmpty()) {
      String when = state == State.STEADY ? "" : " (" + state.label() + ")";
      pieces.add(new GroupedBarChart(title + when, label, groups, palette));
    }
  }

  private List<Bar> bars(List<Series> all) {
    List<Bar> bars = new ArrayList<>();
    Map<String, List<Double>> peers = new LinkedHashMap<>();
    for (Series series : all) {
      series.measured().forEach(subject -> add(bars, peers, series, subject));
    }
    peers.forEach(
        (name, values) -> {
          if (!values.isEmpty()) {
            bars.add(Report.bar(name, values));
          }
        });
    return bars;
  }

  private void add(
      List<Bar> bars, Map<String, List<Double>> peers, Series series, Subject subject) {
    List<Double> values = series.values(subject, state);
    boolean other = values.isEmpty();
    if (subject.family() != Family.LACIS) {
      peers.computeIfAbsent(subject.name(), _ -> new ArrayList<>()).addAll(values);
    } else {
      String name = subject.name() + ", " + name(series);
      bars.add(
          other
              ? Report.bar(name + ", " + series.state().label(), series.values(subject))
              : Report.bar(name, values));
    }
  }

  private static String engine(Series series) {
    return series.measure().arguments().getOrDefault("engine", "");
  }

  private static String name(Series series) {
    String threads = series.measure().arguments().getOrDefault("threads", "0");
    return switch (engine(series)) {
      case "list" -> "lists";
      case "offload" -> "ordered, " + threads + (threads.equals("1") ? " thread" : " threads");
      default -> engine(series);
    };
  }

  /** The state that most rounds which results are told for were in. */
  private static State state(List<Series> all) {
    Map<State, Integer> rounds = new EnumMap<>(State.class);
    all.forEach(series -> rounds.merge(series.state(), series.told().size(), Integer::sum));
    return rounds.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(State.STEADY);
  }
}
