package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Blocks of all members go to one member or come from there, or go to all. */
final class Gathering {

  private Gathering() {}

  /** Every member sends to the root. */
  static void gather(Plan plan, MemorySegment in, MemorySegment out, Blocks blocks, int root) {
    if (plan.me != root) {
      plan.send(root, in);
      return;
    }
    for (int member = 0; member < plan.size; member++) {
      if (member != root) {
        plan.receive(member, blocks.of(out, member));
      }
    }
    plan.copy(in, blocks.of(out, root));
  }

  /** Along a tree: each member sends the blocks of its subtree at once. */
  static void gatherByTree(
      Plan plan, MemorySegment in, MemorySegment out, Blocks blocks, int root) {
    Blocks packed = blocks.packedFrom(root);
    int number = plan.member(plan.me - root);
    int reach = Trees.reach(number, plan.size);
    int end = Math.min(number + reach, plan.size);
    MemorySegment all = in;
    if (end - number > 1 || number == 0) {
      all = plan.scratch(packed.span(number, end));
      plan.copy(in, all.asSlice(0, in.byteSize()));
    }
    for (int far = 1; far < reach && number + far < plan.size; far <<= 1) {
      int child = number + far;
      long bytes = packed.span(child, Math.min(child + far, plan.size));
      plan.receive(plan.member(root + child), all.asSlice(packed.span(number, child), bytes));
    }
    if (number != 0) {
      plan.send(plan.member(root + number - reach), all);
    } else {
      unpack(plan, all, packed, out, blocks, root);
    }
  }

  /** The root sends to every member. */
  static void scatter(Plan plan, MemorySegment in, MemorySegment out, Blocks blocks, int root) {
    if (plan.me != root) {
      plan.receive(root, out);
      return;
    }
    for (int far = 1; far < plan.size; far++) {
      int member = plan.member(root + far);
      plan.send(member, blocks.of(in, member));
    }
    plan.copy(blocks.of(in, root), out);
  }

  /** Along a tree: each member gets the blocks of its subtree at once. */
  static void scatterByTree(
      Plan plan, MemorySegment in, MemorySegment out, Blocks blocks, int root) {
    Blocks packed = blocks.packedFrom(root);
    int number = plan.member(plan.me - root);
    int reach = Trees.reach(number, plan.size);
    int end = Math.min(number + reach, plan.size);
    MemorySegment all = out;
    if (end - number > 1 || number == 0) {
      all = plan.scratch(packed.span(number, end));
    }
    if (number == 0) {
      pack(plan, in, blocks, all, packed, root);
    } else {
      plan.receive(plan.member(root + number - reach), all);
    }
    for (int far = reach >> 1; far > 0; far >>= 1) {
      int child = number + far;
      if (child < plan.size) {
        long bytes = packed.span(child, Math.min(child + far, plan.size));
        plan.send(plan.member(root + child), all.asSlice(packed.span(number, child), bytes));
      }
    }
    plan.copy(all.asSlice(0, out.byteSize()), out);
  }

  /** What a member has doubles in every round, from its own block on and around. */
  static void allgatherByDoubling(Plan plan, MemorySegment in, MemorySegment out, Blocks blocks) {
    Blocks packed = blocks.packedFrom(plan.me);
    MemorySegment all = plan.scratch(packed.extent());
    plan.copy(in, packed.of(all, 0));
    for (int far = 1; far < plan.size; far <<= 1) {
      int count = Math.min(far, plan.size - far);
      plan.receive(plan.member(plan.me + far), packed.of(all, far, far + count));
      plan.send(plan.member(plan.me - far), packed.of(all, 0, count));
    }
    unpack(plan, all, packed, out, blocks, plan.me);
  }

  /** Blocks go around until everybody has them all. */
  static void allgatherByRing(Plan plan, MemorySegment in, MemorySegment out, Blocks blocks) {
    plan.copy(in, blocks.of(out, plan.me));
    Rings.allgather(plan, out, blocks, 0, (number, block) -> number == block);
  }

  /** Copies blocks one after the other, starting with a certain one. */
  static void pack(
      Plan plan, MemorySegment from, Blocks blocks, MemorySegment to, Blocks packed, int first) {
    plan.call(
        "pack",
        () -> {
          for (int i = 0; i < packed.count(); i++) {
            move(from, blocks, (first + i) % packed.count(), to, packed, i);
          }
        },
        List.of(from),
        List.of(to));
  }

  private static void unpack(
      Plan plan, MemorySegment from, Blocks packed, MemorySegment to, Blocks blocks, int first) {
    plan.call(
        "unpack",
        () -> {
          for (int i = 0; i < packed.count(); i++) {
            move(from, packed, i, to, blocks, (first + i) % packed.count());
          }
        },
        List.of(from),
        List.of(to));
  }

  private static void move(
      MemorySegment from, Blocks sources, int i, MemorySegment to, Blocks targets, int j) {
    MemorySegment.copy(from, sources.offset(i), to, targets.offset(j), sources.length(i));
  }
}
