package org.lacis.bench.report;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Colours that can be told apart, by people who do not see all of them too. A name has the same one
 * in all figures that a palette is used for; those that we know, in all reports.
 */
public final class Palette {
  private static final List<String> COLOURS =
      List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#888888");

  private static final List<String> KNOWN =
      List.of("lacis", "mpich", "openmpi", "openmpi-ucx", "aeron", "libfabric", "memory");

  private final Map<String, String> others = new HashMap<>();

  /** A palette that has given no colour away but those of names we know. */
  public Palette() {}

  String colour(String name) {
    // What is behind a comma tells how, not who.
    String who = name.replaceFirst(",.*", "");
    int known = KNOWN.indexOf(who.equals("aeron-udp") ? "aeron" : who);
    return known >= 0
        ? COLOURS.get(known)
        : others.computeIfAbsent(who, _ -> COLOURS.get(others.size() % COLOURS.size()));
  }
}
