package org.lacis.collective;

import java.lang.foreign.MemorySegment;

/** Each member gets the combined data of those before it, and of itself unless exclusive. */
final class Scans {

  private Scans() {}

  /** From each member to the next. */
  static void linear(
      Plan plan, MemorySegment in, MemorySegment out, Reduction reduction, boolean exclusive) {
    MemorySegment before = plan.landing(in.byteSize());
    MemorySegment upToMe = in;
    if (plan.me > 0) {
      plan.receive(plan.me - 1, before);
      upToMe = exclusive ? plan.scratch(in.byteSize()) : out;
      plan.combine(reduction, before, in, upToMe);
    }
    if (plan.me + 1 < plan.size) {
      plan.send(plan.me + 1, upToMe);
    }
    if (!exclusive) {
      plan.copy(upToMe, out);
    } else if (plan.me > 0) {
      plan.copy(before, out);
    }
  }

  /** In round k to the member 2^k further, what is known of the 2^k members up to here. */
  static void doubling(
      Plan plan, MemorySegment in, MemorySegment out, Reduction reduction, boolean exclusive) {
    MemorySegment upToMe = in;
    for (int far = 1; far < plan.size; far <<= 1) {
      MemorySegment before = plan.landing(in.byteSize());
      if (plan.me >= far) {
        plan.receive(plan.me - far, before);
      }
      if (plan.me + (long) far < plan.size) {
        plan.send(plan.me + far, upToMe);
      }
      if (plan.me >= far) {
        MemorySegment result = upToMe;
        if (far == 1) {
          result = exclusive ? plan.scratch(in.byteSize()) : out;
        }
        plan.combine(reduction, before, upToMe, result);
        upToMe = result;
        if (exclusive && far == 1) {
          plan.copy(before, out);
        } else if (exclusive) {
          plan.combine(reduction, before, out, out);
        }
      }
    }
    if (!exclusive) {
      plan.copy(upToMe, out);
    }
  }
}
