package org.lacis.cli;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that others take for dead though their process is there: they are stopped, or cut off.
 * Those that are cut off from each other miss each other, so that who says it first proves nothing.
 * A verdict therefore waits until the other side may have noticed too; then the one that is missed
 * by more ranks is to blame, and of two that are missed by as many, the higher. So when hosts
 * cannot reach each other, the larger part of the job stays, whole.
 */
final class Misses {

  /**
   * A rank that is to be ended.
   *
   * @param rank which one
   * @param by who misses it
   * @param why as that one said it
   */
  record Verdict(int rank, int by, String why) {}

  private record Miss(int by, int rank, long dueAt, String why) {}

  private final List<Miss> misses = new ArrayList<>();

  /**
   * A rank misses another one.
   *
   * @param dueAt when it is to be decided about, in nanoseconds of any clock
   */
  void add(int by, int rank, long dueAt, String why) {
    misses.add(new Miss(by, rank, dueAt, why));
  }

  /** When the next one is due; a very large number if there is none. */
  long due() {
    long due = Long.MAX_VALUE;
    for (Miss miss : misses) {
      due = Math.min(due, miss.dueAt);
    }
    return due;
  }

  /**
   * Decides about one that is due.
   *
   * @param running ranks whose processes are there; what is said of others is void
   * @param lost ranks that have failed, or are being ended; what they say is void, unlike what was
   *     said by those that have ended in good order
   * @return who is to be ended; null if nothing more is due
   */
  @Nullable Verdict decide(long now, BitSet running, BitSet lost) {
    misses.removeIf(miss -> lost.get(miss.by) || lost.get(miss.rank) || !running.get(miss.rank));
    for (Miss miss : misses) {
      if (miss.dueAt <= now) {
        Miss counted = against(miss);
        misses.remove(counted);
        return new Verdict(counted.rank, counted.by, counted.why);
      }
    }
    return null;
  }

  private Miss against(Miss miss) {
    for (Miss other : misses) {
      if (other.by == miss.rank && other.rank == miss.by) {
        int here = missedBy(miss.rank);
        int there = missedBy(other.rank);
        boolean otherOne = here == there ? other.rank > miss.rank : there > here;
        return otherOne ? other : miss;
      }
    }
    return miss;
  }

  private int missedBy(int rank) {
    int count = 0;
    for (Miss miss : misses) {
      count += miss.rank == rank ? 1 : 0;
    }
    return count;
  }
}
