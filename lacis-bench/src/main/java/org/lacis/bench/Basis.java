package org.lacis.bench;

import java.util.Collection;
import java.util.HashSet;

/**
 * What a figure rests on. Of few rounds little is known about their spread, and what one process is
 * lucky with, or not, counts for all of its rounds.
 *
 * @param rounds how many rounds
 * @param starts of how many starts of the subjects they are
 * @param allStarts how many starts there were
 */
record Basis(int rounds, int starts, int allStarts) {
  private static final int ROUNDS = 3;
  private static final int STARTS = 2;

  /** What a figure rests on, by the start of each of its rounds. */
  static Basis of(Collection<Integer> starts, int allStarts) {
    return new Basis(starts.size(), new HashSet<>(starts).size(), allStarts);
  }

  /** Whether that is enough to be told without brackets, and to be compared. */
  boolean isEnough() {
    return rounds >= ROUNDS && starts >= Math.min(STARTS, allStarts);
  }
}
