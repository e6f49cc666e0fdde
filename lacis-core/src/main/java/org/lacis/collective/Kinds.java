package org.lacis.collective;

import java.util.List;

/**
 * The kinds of collectives as numbers. Each message has that of its sender in the lower bits of its
 * tag, which are not matched, so that the receiver notices when the two are not in the same one.
 */
final class Kinds {

  /** How many bits of a tag they take. */
  static final int BITS = 4;

  private static final List<String> NAMES =
      List.of(
          "gate",
          "barrier",
          "broadcast",
          "reduce",
          "allreduce",
          "gather",
          "scatter",
          "allgather",
          "alltoall",
          "reducescatter",
          "scan",
          "exclusivescan");

  private Kinds() {}

  /** The number of a kind. */
  static int number(String name) {
    int number = NAMES.indexOf(name);
    if (number < 0) {
      throw new IllegalArgumentException("there is no collective " + name);
    }
    return number;
  }

  /** The name of the kind that a tag has. */
  static String name(int tag) {
    int number = of(tag);
    return number < NAMES.size() ? NAMES.get(number) : "collective " + number;
  }

  /** The number that a tag has. */
  static int of(int tag) {
    return tag & ((1 << BITS) - 1);
  }
}
