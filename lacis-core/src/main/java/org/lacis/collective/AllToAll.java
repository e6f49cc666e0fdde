package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Every member has a block for every member. */
final class AllToAll {

  private AllToAll() {}

  /** Every member sends to every other one, the next first, and all at once. */
  static void pairwise(
      Plan plan, MemorySegment in, Blocks sent, MemorySegment out, Blocks received) {
    MemorySegment source = in;
    if (in.asOverlappingSlice(out).isPresent()) {
      // What comes must not wait for what goes, which waits for the same at the other side.
      source = plan.scratch(in.byteSize());
      plan.copy(in, source);
    }
    for (int far = 1; far < plan.size; far++) {
      int from = plan.member(plan.me - far);
      plan.receive(from, received.of(out, from));
    }
    for (int far = 1; far < plan.size; far++) {
      int to = plan.member(plan.me + far);
      plan.send(to, sent.of(source, to));
    }
    plan.copy(sent.of(source, plan.me), received.of(out, plan.me));
  }

  /**
   * In round k blocks that have to go 2^k further, by the binary digits of their way, go there
   * together: log n messages instead of n. All blocks are of one length.
   */
  static void bruck(Plan plan, MemorySegment in, MemorySegment out, Blocks blocks) {
    int size = plan.size;
    int me = plan.me;
    long length = blocks.length(0);
    // The block at place i has to go i members further.
    MemorySegment all = plan.scratch(in.byteSize());
    plan.call(
        "turn",
        () -> {
          for (int i = 0; i < size; i++) {
            move(in, (me + i) % size, all, i, length);
          }
        },
        List.of(in),
        List.of(all));
    for (int far = 1; far < size; far <<= 1) {
      int bit = far;
      int count = 0;
      for (int i = 0; i < size; i++) {
        count += (i & bit) != 0 ? 1 : 0;
      }
      MemorySegment going = plan.landing(count * length);
      MemorySegment coming = plan.landing(count * length);
      plan.receive(plan.member(me - far), coming);
      plan.call(
          "pack",
          () -> {
            for (int i = 0, at = 0; i < size; i++) {
              if ((i & bit) != 0) {
                move(all, i, going, at++, length);
              }
            }
          },
          List.of(all),
          List.of(going));
      plan.send(plan.member(me + far), going);
      plan.call(
          "unpack",
          () -> {
            for (int i = 0, at = 0; i < size; i++) {
              if ((i & bit) != 0) {
                move(coming, at++, all, i, length);
              }
            }
          },
          List.of(coming),
          List.of(all));
    }
    plan.call(
        "turn back",
        () -> {
          for (int i = 0; i < size; i++) {
            move(all, i, out, Math.floorMod(me - i, size), length);
          }
        },
        List.of(all),
        List.of(out));
  }

  private static void move(MemorySegment from, int i, MemorySegment to, int j, long length) {
    MemorySegment.copy(from, i * length, to, j * length, length);
  }
}
