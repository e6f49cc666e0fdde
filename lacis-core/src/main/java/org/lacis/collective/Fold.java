package org.lacis.collective;

import java.lang.foreign.MemorySegment;

/**
 * Algorithms by doubling need a power of two. Of the members that are too many each gives its data
 * to the next one, and gets the result from there; the others are numbered anew, in the same order.
 */
final class Fold {

  /** How many take part: a power of two. */
  final int size;

  /** The new number of this member; -1 if it has given its data away. */
  final int number;

  private final int extra;

  Fold(Plan plan) {
    size = Integer.highestOneBit(plan.size);
    extra = plan.size - size;
    number = numberOf(plan.me);
  }

  /** The new number of a member; -1 if it gives its data away. */
  int numberOf(int member) {
    if (member >= 2 * extra) {
      return member - extra;
    }
    return member % 2 == 0 ? -1 : member / 2;
  }

  /** The member that has a number. */
  int member(int number) {
    return number < extra ? 2 * number + 1 : number + extra;
  }

  /**
   * Gives the data away, or takes that of another.
   *
   * @param result where combined data goes
   * @return where the data of this member is then
   */
  MemorySegment in(Plan plan, MemorySegment in, MemorySegment result, Reduction reduction) {
    if (number < 0) {
      plan.send(plan.me + 1, in);
    } else if (plan.me < 2 * extra) {
      MemorySegment theirs = plan.landing(in.byteSize());
      plan.receive(plan.me - 1, theirs);
      plan.combine(reduction, theirs, in, result);
      return result;
    }
    return in;
  }

  /** Gives the result to whoever has given its data, or gets it. */
  void out(Plan plan, MemorySegment out) {
    if (number < 0) {
      plan.receive(plan.me + 1, out);
    } else if (plan.me < 2 * extra) {
      plan.send(plan.me - 1, out);
    }
  }
}
