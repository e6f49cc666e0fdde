package org.lacis.collective;

import java.lang.foreign.MemorySegment;

/** Blocks go around: each member sends to the next and receives from the one before. */
final class Rings {

  private Rings() {}

  /** n pieces go around to be combined, and around again with the results. */
  static void allreduce(Plan plan, MemorySegment in, MemorySegment out, Reduction reduction) {
    Blocks pieces = Blocks.even(in.byteSize(), plan.size, reduction.elementBytes());
    if (plan.size == 1) {
      plan.copy(in, out);
      return;
    }
    int right = plan.member(plan.me + 1);
    int left = plan.member(plan.me - 1);
    MemorySegment passed = pieces.of(in, plan.member(plan.me - 1));
    for (int round = 0; round < plan.size - 1; round++) {
      int piece = plan.member(plan.me - 2 - round);
      MemorySegment theirs = plan.landing(pieces.length(piece));
      plan.receive(left, theirs);
      plan.send(right, passed);
      passed = pieces.of(out, piece);
      plan.combine(reduction, theirs, pieces.of(in, piece), passed);
    }
    allgather(plan, out, pieces, 0, (number, block) -> number == block);
  }

  /**
   * Every member gets all blocks.
   *
   * @param first the member that has number 0; the next one has number 1
   * @param owned which number has which blocks already: its own at least
   */
  static void allgather(Plan plan, MemorySegment buffer, Blocks blocks, int first, Owned owned) {
    int number = plan.member(plan.me - first);
    for (int round = 0; round < plan.size - 1; round++) {
      int wanted = plan.member(number - round - 1);
      if (!owned.test(number, wanted)) {
        plan.swapIn(plan.member(plan.me - 1), blocks.of(buffer, wanted));
      }
      int passed = plan.member(number - round);
      if (!owned.test(plan.member(number + 1), passed)) {
        plan.send(plan.member(plan.me + 1), blocks.of(buffer, passed));
      }
    }
  }

  /** Whether a number has a block before anything goes around. */
  interface Owned {
    boolean test(int number, int block);
  }

  /** A tree spreads the pieces, a ring does the rest. */
  static void broadcast(Plan plan, MemorySegment buffer, int root) {
    Blocks pieces = Blocks.even(buffer.byteSize(), plan.size, 1);
    int number = plan.member(plan.me - root);
    int reach = Trees.reach(number, plan.size);
    if (number != 0) {
      int end = Math.min(number + reach, plan.size);
      plan.receive(plan.member(root + number - reach), pieces.of(buffer, number, end));
    }
    for (int far = reach >> 1; far > 0; far >>= 1) {
      int child = number + far;
      if (child < plan.size) {
        int end = Math.min(child + far, plan.size);
        plan.send(plan.member(root + child), pieces.of(buffer, child, end));
      }
    }
    allgather(
        plan,
        buffer,
        pieces,
        root,
        (owner, piece) -> piece >= owner && piece < owner + Trees.reach(owner, plan.size));
  }
}
