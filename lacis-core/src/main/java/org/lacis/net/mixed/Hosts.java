package org.lacis.net.mixed;

import java.util.Arrays;

/** Which ranks are on this host, and their numbers there. */
final class Hosts {

  /** Not on this host. */
  static final int ELSEWHERE = -1;

  private final int[] near;
  private final int[] ranks;

  /**
   * Finds out.
   *
   * @param names the host of each rank
   * @param rank this one
   */
  Hosts(String[] names, int rank) {
    near = new int[names.length];
    int[] found = new int[names.length];
    int count = 0;
    for (int other = 0; other < names.length; other++) {
      boolean here = names[other].equals(names[rank]);
      near[other] = here ? count : ELSEWHERE;
      if (here) {
        found[count++] = other;
      }
    }
    ranks = Arrays.copyOf(found, count);
  }

  /** The number of a rank on this host, or {@link #ELSEWHERE}. */
  int near(int rank) {
    return near[rank];
  }

  /** The rank that has a number on this host. */
  int rank(int near) {
    return ranks[near];
  }

  /** How many ranks are on this host. */
  int count() {
    return ranks.length;
  }

  /** How many there are in all. */
  int total() {
    return near.length;
  }
}
