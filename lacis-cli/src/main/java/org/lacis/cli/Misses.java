package org.lacis.cli;

import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that others take for dead though their process is there: they are stopped, or cut off.
 * Those that are cut off from each other miss each other, so that who says it first proves nothing.
 * A verdict therefore waits until the other side may have noticed too; then the one that is missed
 * by more ranks is to blame, and of two that are missed by as many, the one whose side has not the
 * lowest rank. So when hosts cannot reach each other, the larger part of the job stays, whole.
 *
 * <p>A rank that has not noticed in time counts with its side: with those that it still reaches.
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

  /** In the order they were told; of two that say the same, the first. */
  private final Map<Long, Miss> misses = new LinkedHashMap<>();

  private static long key(int by, int rank) {
    return (long) by << Integer.SIZE | rank;
  }

  /**
   * A rank misses another one.
   *
   * @param dueAt when it is to be decided about, in nanoseconds of any clock
   */
  void add(int by, int rank, long dueAt, String why) {
    misses.putIfAbsent(key(by, rank), new Miss(by, rank, dueAt, why));
  }

  /** When the next one is due; a very large number if there is none. */
  long due() {
    long due = Long.MAX_VALUE;
    for (Miss miss : misses.values()) {
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
    misses
        .values()
        .removeIf(miss -> lost.get(miss.by) || lost.get(miss.rank) || !running.get(miss.rank));
    for (Miss miss : misses.values()) {
      if (miss.dueAt <= now) {
        Miss counted = against(miss);
        misses.remove(key(counted.by, counted.rank));
        return new Verdict(counted.rank, counted.by, counted.why);
      }
    }
    return null;
  }

  private Miss against(Miss miss) {
    Miss other = returned(miss);
    if (other == null) {
      return miss;
    }
    BitSet here = accusers(miss.rank);
    BitSet there = accusers(miss.by);
    int more = here.cardinality() - there.cardinality();
    boolean holds = more == 0 ? here.nextSetBit(0) < there.nextSetBit(0) : more > 0;
    return holds ? miss : other;
  }

  /**
   * That who is missed misses the other one, too; null if it does not. If it has not said so, it
   * counts as if it had when there is proof that it is not stopped, but cut off: it misses another
   * one of the other side, or one that it is not cut off from misses the same.
   */
  private @Nullable Miss returned(Miss miss) {
    int by = miss.rank;
    int rank = miss.by;
    Miss said = misses.get(key(by, rank));
    if (said != null) {
      return said;
    }
    for (Miss proof : misses.values()) {
      boolean own = proof.by == by && !misses.containsKey(key(rank, proof.rank));
      boolean ofItsSide = proof.rank == rank && !misses.containsKey(key(proof.by, by));
      if (own || ofItsSide) {
        return new Miss(proof.by, rank, proof.dueAt, proof.why);
      }
    }
    return null;
  }

  /** Who misses a rank, and who counts as if it did. */
  private BitSet accusers(int rank) {
    BitSet accusers = new BitSet();
    for (Miss miss : misses.values()) {
      if (miss.rank == rank) {
        accusers.set(miss.by);
      } else if (miss.by == rank && returned(miss) != null) {
        accusers.set(miss.rank);
      }
    }
    return accusers;
  }
}
