package org.lacis.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** All that was measured in a run. */
final class Results {
  /** Cache lines that take this many times as long as others came from another place. */
  static final double PARTING = 1.5;

  private final List<Series> series = new ArrayList<>();

  /** Adds rounds; those of a measure that has some already go behind them. */
  void add(List<Series> more) {
    for (Series added : more) {
      int at = 0;
      while (at < series.size() && !series.get(at).isLike(added)) {
        at++;
      }
      if (at < series.size()) {
        series.set(at, series.get(at).with(added.rounds()));
      } else {
        series.add(added);
      }
    }
  }

  /** Everything, divided into near and far by all bounces there were. */
  List<Series> all() {
    List<Double> bounces =
        series.stream()
            .flatMap(s -> s.rounds().stream())
            .flatMap(round -> round.bounces().stream())
            .filter(bounce -> !bounce.isNaN())
            .toList();
    double parting = Statistics.parting(bounces, PARTING);
    return series.stream().map(s -> s.with(parting)).toList();
  }

  /** Garbage collections while Lacis was measured. */
  static long collections(List<Series> all) {
    return all.stream()
        .flatMap(s -> s.lacis().stream().map(s::collections))
        .mapToLong(Long::longValue)
        .sum();
  }

  /** A further figure of a subject, of the rounds that are told. */
  static List<Double> more(Series series, Subject subject, String name) {
    return series.told().stream()
        .map(round -> round.readings().get(subject.name()))
        .filter(Objects::nonNull)
        .map(reading -> reading.more().get(name))
        .filter(Objects::nonNull)
        .toList();
  }
}
