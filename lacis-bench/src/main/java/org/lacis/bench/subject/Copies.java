package org.lacis.bench.subject;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Copies by one core: what moves long messages at best, unless both cores copy. */
final class Copies {
  private final Ring ring;
  private final boolean first;

  /**
   * Copies.
   *
   * @param ring what the ranks tell each other by
   * @param first whether this is the rank that copies
   */
  Copies(Ring ring, boolean first) {
    this.ring = ring;
    this.first = first;
  }

  /** Out of four buffers in turn into four others, all in its cache; the other rank rests. */
  Work within(int bytes) {
    var from = new MemorySegment[4];
    var to = new MemorySegment[4];
    for (int i = 0; first && i < from.length; i++) {
      from[i] = Arena.ofAuto().allocate(bytes, 4096).fill((byte) 1);
      to[i] = Arena.ofAuto().allocate(bytes, 4096).fill((byte) 2);
    }
    return command -> {
      long start = System.nanoTime();
      for (long i = 0; first && i < command.count(); i++) {
        to[(int) (i & 3)].copyFrom(from[(int) (i & 3)]);
      }
      return Timing.of(first ? System.nanoTime() - start : 0);
    };
  }

  /** Out of memory that both have mapped and the other rank has just written. */
  Work out(int bytes, int window) {
    return shared(bytes, window, true);
  }

  /** Into memory that both have mapped and the other rank has just read. */
  Work in(int bytes) {
    return shared(bytes, 1, false);
  }

  /**
   * So many at a time, as there is room for; the time is that of the copies alone, and the one in
   * the middle counts.
   */
  private Work shared(int bytes, int window, boolean out) {
    MemorySegment memory = Ring.forCopies();
    int room = Math.clamp(memory.byteSize() / bytes, 1, window);
    MemorySegment own = Arena.ofAuto().allocate((long) room * bytes, 4096).fill((byte) 1);
    MemorySegment from = out == first ? memory : own;
    MemorySegment to = out == first ? own : memory;
    return command -> {
      long rounds = Math.ceilDiv(command.count(), room);
      int count = (int) Math.ceilDiv(command.count(), rounds);
      var each = new EachTime(rounds);
      for (long i = 0; i < rounds; i++) {
        if (!first) {
          copy(from, to, bytes, count);
        }
        ring.bounce(first);
        if (first) {
          long start = System.nanoTime();
          copy(from, to, bytes, count);
          each.add(System.nanoTime() - start);
        }
        ring.bounce(first);
      }
      return Timing.of(first ? each.middleTimesCount() * command.count() / (rounds * count) : 0);
    };
  }

  private static void copy(MemorySegment from, MemorySegment to, int bytes, int count) {
    for (int i = 0; i < count; i++) {
      MemorySegment.copy(from, (long) i * bytes, to, (long) i * bytes, bytes);
    }
  }
}
