package org.lacis.collective;

import java.lang.foreign.MemorySegment;

/** The data of all members is combined, and each member gets a block of the result. */
final class ReduceScattering {

  private ReduceScattering() {}

  /** Two trees: all of it to member 0, and from there the blocks. */
  static void byTrees(
      Plan plan, MemorySegment in, MemorySegment out, Blocks blocks, Reduction reduction) {
    Blocks packed = blocks.packedFrom(0);
    MemorySegment source = in;
    if (!packed.equals(blocks)) {
      source = plan.scratch(packed.extent());
      Gathering.pack(plan, in, blocks, source, packed, 0);
    }
    MemorySegment data = source.asSlice(0, packed.extent());
    MemorySegment all = plan.me == 0 ? plan.scratch(packed.extent()) : MemorySegment.NULL;
    Trees.reduce(plan, data, all, reduction, 0);
    Gathering.scatterByTree(plan, all, out, packed, 0);
  }

  /** Every member sends every other one its block, and combines what it gets, in order. */
  static void pairwise(
      Plan plan, MemorySegment in, MemorySegment out, Blocks blocks, Reduction reduction) {
    MemorySegment[] parts = new MemorySegment[plan.size];
    for (int far = 1; far < plan.size; far++) {
      int from = plan.member(plan.me - far);
      parts[from] = plan.scratch(out.byteSize());
      plan.receive(from, parts[from]);
    }
    for (int far = 1; far < plan.size; far++) {
      int to = plan.member(plan.me + far);
      plan.send(to, blocks.of(in, to));
    }
    parts[plan.me] = blocks.of(in, plan.me);
    MemorySegment left = parts[0];
    for (int member = 1; member < plan.size; member++) {
      // The result may be in the place of the data: it is written last.
      MemorySegment spare = member == plan.me ? left : parts[member];
      MemorySegment result = member == plan.size - 1 ? out : spare;
      plan.combine(reduction, left, parts[member], result);
      left = result;
    }
    plan.copy(left, out);
  }

  /** A block goes around, and everybody adds to it; its owner is the last. */
  static void byRing(
      Plan plan, MemorySegment in, MemorySegment out, Blocks blocks, Reduction reduction) {
    MemorySegment passed = blocks.of(in, plan.member(plan.me - 1));
    for (int round = 0; round < plan.size - 1; round++) {
      int block = plan.member(plan.me - 2 - round);
      MemorySegment theirs = plan.landing(blocks.length(block));
      plan.receive(plan.member(plan.me - 1), theirs);
      plan.send(plan.member(plan.me + 1), passed);
      passed = block == plan.me ? out : theirs;
      plan.combine(reduction, theirs, blocks.of(in, block), passed);
    }
    if (plan.size == 1) {
      plan.copy(passed, out);
    }
  }
}
