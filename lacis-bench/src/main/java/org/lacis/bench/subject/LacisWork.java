package org.lacis.bench.subject;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.lacis.Completion;
import org.lacis.Idle;
import org.lacis.Lacis;
import org.lacis.RemoteCompletion;

/**
 * What works on Lacis have in common: a peer, and a bell that rings there. Ranks are pairs, the
 * first half of them with the second.
 */
abstract class LacisWork implements Work {
  final Lacis lacis;
  final int peer;

  /** Whether this rank begins, and is the one of its pair that looks at the clock. */
  final boolean first;

  final int pairs;
  final MemorySegment word = Arena.ofAuto().allocate(JAVA_LONG);
  final Idle idle;
  private final RemoteCompletion bell;

  /** How often the bell has rung here; touched by the thread that makes progress alone. */
  private long rung;

  /** How often it has been waited for. Not read off the other: the peer may be ahead. */
  private long heard;

  LacisWork(Lacis lacis) {
    this.lacis = lacis;
    this.pairs = Math.max(1, lacis.size() / 2);
    this.first = lacis.rank() < pairs;
    this.peer = lacis.size() == 1 ? 0 : first ? lacis.rank() + pairs : lacis.rank() - pairs;
    this.idle = lacis.newIdle();
    this.bell = lacis.register(_ -> rung++);
  }

  @Override
  public final Timing run(Command command) throws Exception {
    lacis.barrier();
    return measure(command);
  }

  /** Measures; all ranks are here. */
  abstract Timing measure(Command command) throws Exception;

  /** The time since then, told by the first of the pair alone. */
  final Timing since(long start) {
    return Timing.of(first ? System.nanoTime() - start : 0);
  }

  final void ring() {
    while (lacis.am(peer, word, 0, bell, Completion.NONE).isRetry()) {
      idle.after(lacis.progress());
    }
    idle.reset();
  }

  /** Waits for so many rings more. */
  final void hear(long count) {
    heard += count;
    while (rung < heard) {
      idle.after(lacis.progress());
    }
    idle.reset();
  }

  /** Makes progress until the bell has rung more often than it was waited for, or there is none. */
  final void progress() {
    idle.after(lacis.progress());
  }

  /** How often the bell has rung and nobody has waited for it. */
  final long unheard() {
    return rung - heard;
  }
}
