package org.lacis.bench;

import java.util.Collection;

/** Numbers about numbers. */
final class Statistics {
  private Statistics() {}

  /**
   * The value below which this share of the values is, between two of them if need be; NaN of none.
   */
  static double quantile(Collection<Double> values, double share) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double at = share * (sorted.length - 1);
    int below = (int) Math.floor(at);
    int above = (int) Math.ceil(at);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }

  static double median(Collection<Double> values) {
    return quantile(values, 0.5);
  }

  /**
   * The mean of the middle half: like the median, it takes no notice of a few odd values; unlike
   * it, it does not jump where values are of two kinds. NaN of none.
   */
  static double middle(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    double from = sorted.length / 4.0;
    double to = sorted.length - from;
    double sum = 0;
    for (int i = 0; i < sorted.length; i++) {
      // The share of this value that is in the middle half.
      sum += sorted[i] * Math.max(0, Math.min(i + 1, to) - Math.max(i, from));
    }
    return sum / (to - from);
  }

  /** The best of some values in a unit. */
  static double best(Collection<Double> values, Unit unit) {
    var sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return unit.lessIsBetter() ? sorted[0] : sorted[sorted.length - 1];
  }

  /** Half the distance between the quartiles, as a share of the median; NaN of a single value. */
  static double spread(Collection<Double> values) {
    return values.size() < 2
        ? Double.NaN
        : (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median(values);
  }

  /** The standard deviation, as a share of the mean; NaN of a single value. */
  static double deviation(Collection<Double> values) {
    double mean = values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    double squares = values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
    return Math.sqrt(squares / (values.size() - 1)) / mean;
  }

  /**
   * Where values of two kinds part, if they are of two kinds: between them is the widest gap, of a
   * factor of at least this, with values on both sides and hardly any in it. NaN if there is none.
   */
  static double parting(Collection<Double> values, double factor) {
    double[] sorted =
        values.stream().mapToDouble(Double::doubleValue).filter(v -> v > 0).sorted().toArray();
    // A single odd value on one side is an accident, not a kind.
    int least = Math.max(1, sorted.length / 20);
    // Some are measured while the one changes into the other.
    int between = sorted.length / 40;
    double parting = Double.NaN;
    double widest = factor;
    for (int i = least; i + between <= sorted.length - least; i++) {
      double below = sorted[i - 1];
      double above = sorted[Math.min(i + between, sorted.length - 1)];
      if (above / below >= widest) {
        widest = above / below;
        parting = Math.sqrt(above * below);
      }
    }
    return parting;
  }
}
