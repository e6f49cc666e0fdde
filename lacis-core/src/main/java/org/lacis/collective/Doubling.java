package org.lacis.collective;

import java.lang.foreign.MemorySegment;

/**
 * Reductions in which members swap data with one that is 1, 2, 4, … away. Near ones first: so what
 * a member has combined is always that of a range of members, and is combined in their order.
 */
final class Doubling {

  private Doubling() {}

  /** All of the data, in each round. */
  static void allreduce(Plan plan, MemorySegment in, MemorySegment out, Reduction reduction) {
    Fold fold = new Fold(plan);
    MemorySegment current = fold.in(plan, in, out, reduction);
    if (fold.number >= 0) {
      for (int far = 1; far < fold.size; far <<= 1) {
        int other = fold.number ^ far;
        MemorySegment theirs = plan.landing(in.byteSize());
        // First of all, as the other waits for it; the receive is posted while it is on its way.
        plan.send(fold.member(other), current);
        plan.receive(fold.member(other), theirs);
        combine(plan, reduction, other < fold.number, current, theirs, out);
        current = out;
      }
      plan.copy(current, out);
    }
    fold.out(plan, out);
  }

  /** Half of the data in the first round, a quarter in the next: then back with the results. */
  static void allreduceByHalves(
      Plan plan, MemorySegment in, MemorySegment out, Reduction reduction) {
    Fold fold = new Fold(plan);
    Blocks pieces = Blocks.even(in.byteSize(), fold.size, reduction.elementBytes());
    halve(plan, fold, pieces, fold.in(plan, in, out, reduction), out, reduction);
    if (fold.number >= 0) {
      int from = piece(fold, fold.number);
      int width = 1;
      for (int far = fold.size >> 1; far > 0; far >>= 1) {
        int other = fold.member(fold.number ^ far);
        int theirs = from ^ width;
        plan.swapIn(other, pieces.of(out, theirs, theirs + width));
        plan.send(other, pieces.of(out, from, from + width));
        from &= ~width;
        width <<= 1;
      }
    }
    fold.out(plan, out);
  }

  /** The same, but the results go to the root, each from the member that has it. */
  static void reduceByHalves(
      Plan plan, MemorySegment in, MemorySegment out, Reduction reduction, int root) {
    Fold fold = new Fold(plan);
    Blocks pieces = Blocks.even(in.byteSize(), fold.size, reduction.elementBytes());
    MemorySegment result = plan.me == root ? out : plan.scratch(in.byteSize());
    halve(plan, fold, pieces, fold.in(plan, in, result, reduction), result, reduction);
    if (plan.me == root) {
      for (int number = 0; number < fold.size; number++) {
        if (number != fold.number) {
          plan.receive(fold.member(number), pieces.of(out, piece(fold, number)));
        }
      }
    } else if (fold.number >= 0) {
      plan.send(root, pieces.of(result, piece(fold, fold.number)));
    }
  }

  /** Leaves each number with the result of its piece. */
  private static void halve(
      Plan plan,
      Fold fold,
      Blocks pieces,
      MemorySegment in,
      MemorySegment result,
      Reduction reduction) {
    if (fold.number < 0) {
      return;
    }
    if (fold.size == 1) {
      plan.copy(in, result);
    }
    MemorySegment current = in;
    int from = 0;
    int width = fold.size;
    for (int far = 1; far < fold.size; far <<= 1) {
      width >>= 1;
      int other = fold.number ^ far;
      boolean low = fold.number < other;
      int mine = low ? from : from + width;
      int away = low ? from + width : from;
      MemorySegment kept = pieces.of(current, mine, mine + width);
      MemorySegment theirs = plan.landing(kept.byteSize());
      plan.receive(fold.member(other), theirs);
      plan.send(fold.member(other), pieces.of(current, away, away + width));
      combine(plan, reduction, !low, kept, theirs, pieces.of(result, mine, mine + width));
      current = result;
      from = mine;
    }
  }

  /** The piece a number ends with: its lowest bit has chosen the half, the next the quarter. */
  private static int piece(Fold fold, int number) {
    return fold.size == 1
        ? 0
        : Integer.reverse(number) >>> (Integer.SIZE - Integer.numberOfTrailingZeros(fold.size));
  }

  private static void combine(
      Plan plan,
      Reduction reduction,
      boolean theirsFirst,
      MemorySegment mine,
      MemorySegment theirs,
      MemorySegment result) {
    if (theirsFirst) {
      plan.combine(reduction, theirs, mine, result);
    } else {
      plan.combine(reduction, mine, theirs, result);
    }
  }
}
