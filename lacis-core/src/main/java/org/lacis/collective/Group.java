package org.lacis.collective;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.lacis.Lacis;

/**
 * Some ranks of a job, numbered anew from 0: its <em>members</em>. Immutable. Groups with the same
 * members in the same order are equal.
 */
public final class Group {

  private final int[] ranks;
  private final Map<Integer, Integer> members = new HashMap<>();

  private Group(int[] ranks) {
    this.ranks = ranks;
    if (ranks.length == 0) {
      throw new IllegalArgumentException("a group needs at least one rank");
    }
    for (int member = 0; member < ranks.length; member++) {
      int rank = ranks[member];
      if (rank < 0) {
        throw new IllegalArgumentException("rank " + rank + " of a group is negative");
      }
      Integer other = members.put(rank, member);
      if (other != null) {
        throw new IllegalArgumentException(
            "rank " + rank + " is in the group twice, as members " + other + " and " + member);
      }
    }
  }

  /** All ranks of the job, as they are numbered there. */
  public static Group all(Lacis lacis) {
    return new Group(IntStream.range(0, lacis.size()).toArray());
  }

  /**
   * Some ranks; the first is member 0.
   *
   * @param ranks ranks of the job, each at most once
   */
  public static Group of(int... ranks) {
    return new Group(ranks.clone());
  }

  /** How many members it has. */
  public int size() {
    return ranks.length;
  }

  /**
   * Which rank of the job a member is.
   *
   * @param member 0 to {@code size() - 1}
   */
  public int rank(int member) {
    if (member < 0 || member >= ranks.length) {
      throw new IllegalArgumentException(
          "member must be 0 to " + (ranks.length - 1) + ", but is " + member);
    }
    return ranks[member];
  }

  /** Whether a rank of the job is in it. */
  public boolean contains(int rank) {
    return members.containsKey(rank);
  }

  /** Which member a rank of the job is; -1 if it is none. */
  public int member(int rank) {
    return members.getOrDefault(rank, -1);
  }

  /**
   * Which member of another group a member of this one is; -1 if it is none.
   *
   * @param member 0 to {@code size() - 1}
   */
  public int translate(int member, Group other) {
    return other.member(rank(member));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Group group && Arrays.equals(ranks, group.ranks);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(ranks);
  }

  @Override
  public String toString() {
    return "Group" + Arrays.toString(ranks);
  }
}
