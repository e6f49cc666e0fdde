package org.lacis.collective;

import java.lang.foreign.MemorySegment;

/**
 * Binomial trees. Members are numbered from the root on: the parent of a number is the number
 * without its lowest bit, and the subtree of a number is a range that starts with it.
 */
final class Trees {

  private Trees() {}

  /**
   * The size of the subtree if it were complete: the lowest bit of a number; for 0, more than all.
   */
  static int reach(int number, int size) {
    return number == 0 ? Integer.highestOneBit(size) << 1 : Integer.lowestOneBit(number);
  }

  static void broadcast(Plan plan, MemorySegment buffer, int root) {
    int number = plan.member(plan.me - root);
    int reach = reach(number, plan.size);
    if (number != 0) {
      plan.receive(plan.member(root + number - reach), buffer);
    }
    for (int far = reach >> 1; far > 0; far >>= 1) {
      if (number + far < plan.size) {
        plan.send(plan.member(root + number + far), buffer);
      }
    }
  }

  /**
   * Reduces to one member. If the order matters the tree's root is member 0, so that every subtree
   * is a range of members, and the result goes on from there.
   *
   * @param out where the result goes, at the root
   */
  static void reduce(
      Plan plan, MemorySegment in, MemorySegment out, Reduction reduction, int root) {
    int top = reduction.commutative() ? root : 0;
    int number = plan.member(plan.me - top);
    int reach = reach(number, plan.size);
    MemorySegment current = in;
    for (int far = 1; far < reach && number + far < plan.size; far <<= 1) {
      MemorySegment theirs = plan.landing(in.byteSize());
      plan.receive(plan.member(top + number + far), theirs);
      MemorySegment result = current;
      if (far == 1) {
        result = plan.me == root && top == root ? out : plan.scratch(in.byteSize());
      }
      plan.combine(reduction, current, theirs, result);
      current = result;
    }
    if (number != 0) {
      plan.send(plan.member(top + number - reach), current);
    }
    if (top != root && plan.me == top) {
      plan.send(root, current);
    } else if (top != root && plan.me == root) {
      plan.receive(top, out);
    } else if (plan.me == root) {
      plan.copy(current, out);
    }
  }
}
