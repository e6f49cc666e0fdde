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

  /** Whether the other one has rounds of the same measure. */
  boolean isLike(Series other) {
    return network.equals(other.network) && measure.equals(other.measure);
  }

  /** The same, with rounds of another start. */
  Series with(List<Round> more) {
    List<Round> both = new ArrayList<>(rounds);
    both.addAll(more);
    return new Series(network, measure, subjects, both, parting);
  }

  State state(Round round) {
    return State.of(round.bounces(), parting);
  }

  /** The state most rounds were in; of those that were in one. */
  State state() {
    Map<State, Integer> counts = counts();
    if (counts.size() > 1) {
      counts.remove(State.MIXED);
    }
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(State.STEADY);
  }

  /** The state that most rounds of both were in; empty if there is none that both were in. */
  Optional<State> commonState(Series other) {
    Map<State, Integer> common = counts();
    Map<State, Integer> others = other.counts();
    common.keySet().retainAll(others.keySet());
    common.remove(State.MIXED);
    others.forEach((state, count) -> common.computeIfPresent(state, (_, n) -> Math.min(n, count)));
    return common.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
  }

  private Map<State, Integer> counts() {
    Map<State, Integer> counts = new EnumMap<>(State.class);
    rounds.forEach(round -> counts.merge(state(round), 1, Integer::sum));
    return counts;
  }

  /** The rounds that results are told for: those in the state most were in. */
  List<Round> told() {
    return in(state());
  }

  private List<Round> in(State state) {
    return rounds.stream().filter(round -> state(round) == state).toList();
  }

  /** What results rest on. */
  Basis basis() {
    return basis(state());
  }

  /** What figures of the rounds in a state rest on. */
  Basis basis(State state) {
    return Basis.of(in(state).stream().map(Round::start).toList(), starts());
  }

  private int starts() {
    return (int) rounds.stream().mapToInt(Round::start).distinct().count();
  }

  /** The values of a subject, of the rounds that are told. */
  List<Double> values(Subject subject) {
    return values(subject, state());
  }

  /** The values of a subject, of the rounds in a state. */
  List<Double> values(Subject subject, State state) {
    return in(state).stream()
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
   * How many times one subject's value is the other's, in each round: only what was measured within
   * moments is comparable.
   */
  Ratios ratios(Subject one, Subject other) {
    List<Ratios.Ratio> ratios = new ArrayList<>();
    for (Round round : told()) {
      Reading a = round.readings().get(one.name());
      Reading b = round.readings().get(other.name());
      if (a != null && b != null) {
        ratios.add(new Ratios.Ratio(round.start(), a.value() / b.value()));
      }
    }
    return new Ratios(ratios, starts());
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
