package org.lacis.bench.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Where values lie on a line of pixels.
 *
 * @param label what the values are, with their unit
 * @param logarithmic whether equal factors are equally far apart, instead of equal differences
 * @param from the least value
 * @param to the greatest
 * @param begin the pixel of the least
 * @param end the pixel of the greatest
 */
record Axis(String label, boolean logarithmic, double from, double to, double begin, double end) {
  private static final int TICKS = 5;

  /** An axis on which all values find room. */
  static Axis around(
      String label, boolean logarithmic, Collection<Double> values, double begin, double end) {
    double least = values.stream().mapToDouble(Double::doubleValue).min().orElse(1);
    double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    if (logarithmic) {
      double low = Math.pow(10, Math.floor(Math.log10(Math.max(least, 1e-9)) + 1e-9));
      double high = Math.pow(10, Math.ceil(Math.log10(Math.max(most, 1e-9)) - 1e-9));
      return new Axis(label, true, low, Math.max(high, 10 * low), begin, end);
    }
    double step = step(most);
    return new Axis(label, false, 0, step * Math.max(1, Math.ceil(most / step)), begin, end);
  }

  /** An axis with these values only, each as far from the next as in size. */
  static Axis between(
      String label, boolean logarithmic, Collection<Double> values, double begin, double end) {
    double least = values.stream().mapToDouble(Double::doubleValue).min().orElse(1);
    double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    return new Axis(label, logarithmic, least, most > least ? most : least + 1, begin, end);
  }

  private static double step(double most) {
    double rough = Math.max(most, 1e-9) / TICKS;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double digit = rough / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
  }

  /** The pixel of a value. */
  double at(double value) {
    double share =
        logarithmic
            ? Math.log(Math.max(value, from) / from) / Math.log(to / from)
            : (value - from) / (to - from);
    return begin + share * (end - begin);
  }

  /** Values to write beside the axis. */
  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    if (logarithmic) {
      for (double tick = from; tick <= to * 1.001; tick *= 10) {
        ticks.add(tick);
      }
      return ticks;
    }
    double step = step(to);
    for (int i = 0; i * step <= to * 1.001; i++) {
      ticks.add(i * step);
    }
    return ticks;
  }

  /** A value as it is written. */
  static String number(double value) {
    if (value != 0 && (Math.abs(value) >= 1e6 || Math.abs(value) < 0.01)) {
      return String.format(Locale.ROOT, "%.2g", value);
    }
    String text = String.format(Locale.ROOT, "%,.2f", value);
    return text.replaceAll("\\.?0+$", "");
  }
}
