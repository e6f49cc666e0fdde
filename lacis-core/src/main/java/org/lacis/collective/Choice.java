package org.lacis.collective;

import org.jspecify.annotations.Nullable;

/** Which algorithm, and its plan. All members decide the same: by what they all know. */
final class Choice {

  /** Data to be reduced is cut into pieces from here on, in bytes. */
  private static final long CUT = 16 << 10;

  /** The same for two members, who need one round for the whole and two for halves. */
  private static final long PAIR_CUT = 64 << 10;

  /** Broadcasts are cut into pieces from here on, in bytes, with so many members or more. */
  private static final long BROADCAST_CUT = 256 << 10;

  private static final int BROADCAST_CUT_MEMBERS = 4;

  /** Pieces this long, in bytes, go around in a ring where there is another way, too. */
  private static final long RING_PIECE = 64 << 10;

  /** Blocks up to this length, in bytes, travel together. */
  private static final long TOGETHER = 512;

  /** Together they are this long at most, in bytes. */
  private static final long TOGETHER_TOTAL = 32 << 10;

  /** With more members, what each has to tell every other costs more than it saves. */
  private static final int DIRECT_MEMBERS = 4;

  private Choice() {}

  /**
   * Chooses.
   *
   * @param forced what the user wants; null if he leaves it to us
   * @throws IllegalArgumentException if that does not do for the call
   */
  static Algorithm of(Call call, Members members, @Nullable Algorithm forced) {
    if (forced == null) {
      return bySize(call, members.size, members.haveMapped());
    }
    boolean inOrder = forced != Algorithm.Allreduce.RING && forced != Algorithm.ReduceScatter.RING;
    if (!inOrder && !call.operator().commutative()) {
      throw new IllegalArgumentException(
          "algorithm %s needs a commutative operator, which %s is not"
              .formatted(forced, call.operator()));
    }
    if (forced == Algorithm.Alltoall.BRUCK && call.blocks() != null) {
      throw new IllegalArgumentException(
          "algorithm " + forced + " needs blocks of one length, all of them packed");
    }
    return forced;
  }

  private static Algorithm bySize(Call call, int size, boolean mapped) {
    Class<?> kind = call.kind();
    long bytes = call.in().byteSize();
    if (kind == Algorithm.Barrier.class) {
      return Algorithm.Barrier.DISSEMINATION;
    } else if (kind == Algorithm.Broadcast.class) {
      return bytes >= BROADCAST_CUT && size >= BROADCAST_CUT_MEMBERS
          ? Algorithm.Broadcast.SCATTER_ALLGATHER
          : Algorithm.Broadcast.BINOMIAL;
    } else if (kind == Algorithm.Reduce.class) {
      return bytes >= CUT && size > 2
          ? Algorithm.Reduce.REDUCE_SCATTER_GATHER
          : Algorithm.Reduce.BINOMIAL;
    } else if (kind == Algorithm.Allreduce.class) {
      return allreduce(call, size, mapped);
    } else if (kind == Algorithm.Gather.class) {
      return together(call, size) ? Algorithm.Gather.BINOMIAL : Algorithm.Gather.LINEAR;
    } else if (kind == Algorithm.Scatter.class) {
      return together(call, size) ? Algorithm.Scatter.BINOMIAL : Algorithm.Scatter.LINEAR;
    } else if (kind == Algorithm.Allgather.class) {
      return total(call, size) <= TOGETHER_TOTAL
          ? Algorithm.Allgather.BRUCK
          : Algorithm.Allgather.RING;
    } else if (kind == Algorithm.Alltoall.class) {
      return call.blocks() == null && together(call, size)
          ? Algorithm.Alltoall.BRUCK
          : Algorithm.Alltoall.PAIRWISE;
    } else if (kind == Algorithm.ReduceScatter.class) {
      return reduceScatter(call, size);
    }
    return size <= 3 ? Algorithm.Scan.LINEAR : Algorithm.Scan.RECURSIVE_DOUBLING;
  }

  private static Algorithm allreduce(Call call, int size, boolean mapped) {
    long bytes = call.in().byteSize();
    if (bytes < (size == 2 ? PAIR_CUT : CUT)) {
      return Algorithm.Allreduce.RECURSIVE_DOUBLING;
    }
    if (mapped && size > 1 && size <= DIRECT_MEMBERS) {
      return Algorithm.Allreduce.DIRECT;
    }
    boolean ring =
        Integer.bitCount(size) > 1 && bytes / size >= RING_PIECE && call.operator().commutative();
    return ring ? Algorithm.Allreduce.RING : Algorithm.Allreduce.REDUCE_SCATTER_ALLGATHER;
  }

  private static Algorithm reduceScatter(Call call, int size) {
    if (together(call, size)) {
      return Algorithm.ReduceScatter.BINOMIAL;
    }
    return total(call, size) / size >= RING_PIECE && call.operator().commutative()
        ? Algorithm.ReduceScatter.RING
        : Algorithm.ReduceScatter.PAIRWISE;
  }

  /** Whether blocks are so short, and so many, that it is the number of messages that counts. */
  private static boolean together(Call call, int size) {
    return size > 4 && total(call, size) / size <= TOGETHER && total(call, size) <= TOGETHER_TOTAL;
  }

  private static long total(Call call, int size) {
    Blocks blocks = call.blocks();
    return blocks == null ? call.block() * size : blocks.total();
  }

  /** How many messages one member sends another at most. */
  static int steps(Algorithm algorithm, int size) {
    boolean around =
        algorithm == Algorithm.Allreduce.RING
            || algorithm == Algorithm.Broadcast.SCATTER_ALLGATHER
            || algorithm == Algorithm.Allgather.RING
            || algorithm == Algorithm.ReduceScatter.RING;
    return around
        ? mostSteps(size)
        : algorithm == Algorithm.Allreduce.DIRECT ? Direct.STEPS + 2 : 2;
  }

  /** The same for any algorithm. */
  static int mostSteps(int size) {
    return Math.max(2 * size, Direct.STEPS + 2);
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
      case Algorithm.Allreduce.DIRECT ->
          Direct.allreduce(plan, call.in(), call.out(), call.operator());
      case Algorithm.Allreduce.RING ->
          Rings.allreduce(plan, call.in(), call.out(), call.operator());
      case Algorithm.Scan.LINEAR ->
          Scans.linear(plan, call.in(), call.out(), call.operator(), call.exclusive());
      case Algorithm.Scan.RECURSIVE_DOUBLING ->
          Scans.doubling(plan, call.in(), call.out(), call.operator(), call.exclusive());
      default -> writeBlocks(plan, call, algorithm, call.layout(plan.size));
    }
  }

  private static void writeBlocks(Plan plan, Call call, Algorithm algorithm, Blocks blocks) {
    var in = call.in();
    var out = call.out();
    switch (algorithm) {
      case Algorithm.Gather.LINEAR -> Gathering.gather(plan, in, out, blocks, call.root());
      case Algorithm.Gather.BINOMIAL -> Gathering.gatherByTree(plan, in, out, blocks, call.root());
      case Algorithm.Scatter.LINEAR -> Gathering.scatter(plan, in, out, blocks, call.root());
      case Algorithm.Scatter.BINOMIAL ->
          Gathering.scatterByTree(plan, in, out, blocks, call.root());
      case Algorithm.Allgather.BRUCK -> Gathering.allgatherByDoubling(plan, in, out, blocks);
      case Algorithm.Allgather.RING -> Gathering.allgatherByRing(plan, in, out, blocks);
      case Algorithm.Alltoall.PAIRWISE ->
          AllToAll.pairwise(plan, in, blocks, out, call.receivedLayout(plan.size));
      case Algorithm.Alltoall.BRUCK -> AllToAll.bruck(plan, in, out, blocks);
      case Algorithm.ReduceScatter.BINOMIAL ->
          ReduceScattering.byTrees(plan, in, out, blocks, call.operator());
      case Algorithm.ReduceScatter.PAIRWISE ->
          ReduceScattering.pairwise(plan, in, out, blocks, call.operator());
      case Algorithm.ReduceScatter.RING ->
          ReduceScattering.byRing(plan, in, out, blocks, call.operator());
      default -> throw new IllegalStateException(algorithm + " has no blocks");
    }
  }
}
