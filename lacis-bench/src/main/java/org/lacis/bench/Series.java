package org.lacis.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All rounds of one measure.
 *
 * @param network what Lacis and its peers used
 * @param measure what was measured
 * @param subjects of whom, in the order of tables
 * @param rounds the samples
 * @param parting the time of a cache line that divides near from far, or NaN
 */
record Series(
    String network, Measure measure, List<Subject> subjects, List<Round> rounds, double parting) {

  /** The same, once it is known what divides near from far. */
  Series with(double newParting) {
    return new Series(network, measure, subjects, rounds, newParting);
  }

  State state(Round round) {
    return State.of(round.before(), round.after(), parting);
  }

  /** The state most rounds were in; of those that were in one. */
  State state() {
    Map<State, Integer> counts = new EnumMap<>(State.class);
    rounds.forEach(round -> counts.merge(state(round), 1, Integer::sum));
    if (counts.size() > 1) {
      counts.remove(State.MIXED);
    }
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(State.STEADY);
  }

  /** The rounds that results are told for: those in the state most were in. */
  List<Round> told() {
    State most = state();
    return rounds.stream().filter(round -> state(round) == most).toList();
  }

  /** The values of a subject, of the rounds that are told. */
  List<Double> values(Subject subject) {
    return told().stream()
        .map(round -> round.readings().get(subject.name()))
        .filter(Objects::nonNull)
        .map(Reading::value)
        .toList();
  }

  double median(Subject subject) {
    return Statistics.median(values(subject));
  }

  /** Subjects with values. */
  Stream<Subject> measured() {
    return subjects.stream().filter(subject -> !values(subject).isEmpty());
  }

  Optional<Subject> lacis() {
    return measured().filter(subject -> subject.family() == Family.LACIS).findFirst();
  }

  /** The best of a family. */
  Optional<Subject> best(Family family) {
    return best(measured().filter(subject -> subject.family() == family));
  }

  /** The best of all that others might use instead. */
  Optional<Subject> bestPeer() {
    return best(measured().filter(subject -> subject.family().isPeer()));
  }

  private Optional<Subject> best(Stream<Subject> candidates) {
    Comparator<Subject> byMedian = Comparator.comparingDouble(this::median);
    return measure.unit().lessIsBetter() ? candidates.min(byMedian) : candidates.max(byMedian);
  }

  /**
   * How many times one subject's value is the other's: the median of the ratios in each round,
   * since only what was measured within moments is comparable.
   */
  List<Double> ratios(Subject one, Subject other) {
    List<Double> ratios = new ArrayList<>();
    for (Round round : told()) {
      Reading a = round.readings().get(one.name());
      Reading b = round.readings().get(other.name());
      if (a != null && b != null) {
        ratios.add(a.value() / b.value());
      }
    }
    return ratios;
  }

  double ratio(Subject one, Subject other) {
    return Statistics.median(ratios(one, other));
  }

  /** Garbage collections while a subject was measured, in all rounds. */
  long collections(Subject subject) {
    return rounds.stream()
        .map(round -> round.readings().get(subject.name()))
        .filter(Objects::nonNull)
        .mapToLong(Reading::collections)
        .sum();
  }
}
