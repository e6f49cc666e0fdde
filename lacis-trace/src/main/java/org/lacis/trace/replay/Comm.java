package org.lacis.trace.replay;

import java.util.List;

/** A communicator, as one of its members sees it. */
final class Comm {
  private final int id;
  private final int[] members;
  private final int[] others;
  private final List<Integer> dims;
  private final int rank;

  /**
   * Makes one.
   *
   * @param id no other one has it; those on both sides of an inter-communicator have the same
   * @param members the ranks in the world of its ranks
   * @param others of an inter-communicator, those on the other side; else the members
   * @param dims of its topology; empty if it has none
   * @param world the rank of the member in the world
   */
  Comm(int id, int[] members, int[] others, List<Integer> dims, int world) {
    this.id = id;
    this.members = members;
    this.others = others;
    this.dims = dims;
    rank = place(members, world);
  }

  int id() {
    return id;
  }

  int[] members() {
    return members;
  }

  int[] others() {
    return others;
  }

  List<Integer> dims() {
    return dims;
  }

  /** The member's rank in it; -1 if it is none. */
  int rank() {
    return rank;
  }

  boolean isInter() {
    return members != others;
  }

  /** Where a rank of the world is among some; -1 if it is not. */
  static int place(int[] ranks, int world) {
    // The world, and what is like it, is not searched.
    if (world < ranks.length && ranks[world] == world) {
      return world;
    }
    for (int i = 0; i < ranks.length; i++) {
      if (ranks[i] == world) {
        return i;
      }
    }
    return -1;
  }
}
