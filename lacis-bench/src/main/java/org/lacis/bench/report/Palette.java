package org.lacis.bench.report;

/** Colours that can be told apart, by people who do not see all of them too. */
final class Palette {
  private static final String[] COLOURS = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555"
  };

  private Palette() {}

  static String colour(int index) {
    return COLOURS[index % COLOURS.length];
  }
}
