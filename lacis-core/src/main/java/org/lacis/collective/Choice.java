package org.lacis.collective;

import org.jspecify.annotations.Nullable;

/** Which algorithm, and its plan. All members decide the same: by what they all know. */
final class Choice {

  /** Data is cut into pieces from here on, in bytes. */
  private static final long CUT = 16 << 10;

  /** Broadcasts are cut into pieces from here on, in bytes, with so many members or more. */
  private static final long BROADCAST_CUT = 256 << 10;

  private static final int BROADCAST_CUT_MEMBERS = 4;

  /** Pieces this long go around in a ring if the members are no power of two. */
  private static final long RING_PIECE = 64 << 10;

  private Choice() {}

  /**
   * Chooses.
   *
   * @param forced what the user wants; null if he leaves it to us
   */
  static Algorithm of(Call call, int size, @Nullable Algorithm forced) {
    if (forced == null) {
      return bySize(call, size);
    }
    if (forced == Algorithm.Allreduce.RING && !call.operator().commutative()) {
      throw new IllegalArgumentException(
          "algorithm "
              + forced
              + " needs a commutative operator, which "
              + call.operator()
              + " is not");
    }
    return forced;
  }

  private static Algorithm bySize(Call call, int size) {
    long bytes = call.in().byteSize();
    if (call.kind() == Algorithm.Barrier.class) {
      return Algorithm.Barrier.DISSEMINATION;
    }
    if (call.kind() == Algorithm.Broadcast.class) {
      return bytes >= BROADCAST_CUT && size >= BROADCAST_CUT_MEMBERS
          ? Algorithm.Broadcast.SCATTER_ALLGATHER
          : Algorithm.Broadcast.BINOMIAL;
    }
    if (call.kind() == Algorithm.Reduce.class) {
      return bytes >= CUT ? Algorithm.Reduce.REDUCE_SCATTER_GATHER : Algorithm.Reduce.BINOMIAL;
    }
    if (bytes < CUT) {
      return Algorithm.Allreduce.RECURSIVE_DOUBLING;
    }
    boolean ring =
        Integer.bitCount(size) > 1 && bytes / size >= RING_PIECE && call.operator().commutative();
    return ring ? Algorithm.Allreduce.RING : Algorithm.Allreduce.REDUCE_SCATTER_ALLGATHER;
  }

  /** How many messages one member sends another at most. */
  static int steps(Algorithm algorithm, int size) {
    return algorithm == Algorithm.Allreduce.RING
            || algorithm == Algorithm.Broadcast.SCATTER_ALLGATHER
        ? mostSteps(size)
        : 2;
  }

  /** The same for any algorithm. */
  static int mostSteps(int size) {
    return 2 * size;
  }

  static void write(Plan plan, Call call, Algorithm algorithm) {
    switch (algorithm) {
      case Algorithm.Barrier.DISSEMINATION -> Dissemination.write(plan);
      case Algorithm.Broadcast.BINOMIAL -> Trees.broadcast(plan, call.in(), call.root());
      case Algorithm.Broadcast.SCATTER_ALLGATHER -> Rings.broadcast(plan, call.in(), call.root());
      case Algorithm.Reduce.BINOMIAL ->
          Trees.reduce(plan, call.in(), call.out(), call.operator(), call.root());
      case Algorithm.Reduce.REDUCE_SCATTER_GATHER ->
          Doubling.reduceByHalves(plan, call.in(), call.out(), call.operator(), call.root());
      case Algorithm.Allreduce.RECURSIVE_DOUBLING ->
          Doubling.allreduce(plan, call.in(), call.out(), call.operator());
      case Algorithm.Allreduce.REDUCE_SCATTER_ALLGATHER ->
          Doubling.allreduceByHalves(plan, call.in(), call.out(), call.operator());
      case Algorithm.Allreduce.RING ->
          Rings.allreduce(plan, call.in(), call.out(), call.operator());
    }
  }
}
