package org.lacis.bench;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How many times one value is another, in rounds of one state.
 *
 * @param all the ratios of the rounds
 * @param allStarts how many starts of the subjects there were, in whatever state
 */
record Ratios(List<Ratio> all, int allStarts) {
  /** Two runs agree about a ratio if they differ by no more than this share of it. */
  static final double AGREEMENT = 0.15;

  /** The distance of quartiles from the middle, in standard deviations. */
  private static final double QUARTILE = 0.674;

  /** One pair of runs in twenty is further apart than so many standard deviations of a run. */
  private static final double APART = 1.96 * Math.sqrt(2);

  /**
   * The ratio of a round.
   *
   * @param start how many times the subjects had been started before
   * @param value how many times the other value the one is
   */
  record Ratio(int start, double value) {}

  List<Double> values() {
    return all.stream().map(Ratio::value).toList();
  }

  /** The one that is told. */
  double middle() {
    return Statistics.middle(values());
  }

  Basis basis() {
    return Basis.of(all.stream().map(Ratio::start).toList(), allStarts);
  }

  /**
   * By which share another run may differ, to judge by how far rounds are apart, or starts, if that
   * is more: rounds of one start may be alike.
   */
  double uncertainty() {
    Map<Integer, List<Double>> byStart =
        all.stream()
            .collect(
                Collectors.groupingBy(
                    Ratio::start, Collectors.mapping(Ratio::value, Collectors.toList())));
    double ofRounds = Statistics.spread(values()) / QUARTILE / Math.sqrt(all.size());
    List<Double> starts = byStart.values().stream().map(Statistics::middle).toList();
    double ofStarts =
        starts.size() == 1 ? 0 : Statistics.deviation(starts) / Math.sqrt(starts.size());
    return APART * Math.max(ofRounds, ofStarts);
  }

  /** Whether there are enough rounds, so little apart that another run would tell the same. */
  boolean isReliable() {
    return basis().isEnough() && uncertainty() <= AGREEMENT;
  }
}
