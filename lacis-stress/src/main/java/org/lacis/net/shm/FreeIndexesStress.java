package org.lacis.net.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two threads take entries of a table that has two left, and give them back to stacks of their own:
 * no entry is in two hands, and none is lost.
 */
@JCStressTest
@Outcome(id = "[01], [01], 2", expect = ACCEPTABLE, desc = "Had one, or found none.")
@Outcome(expect = FORBIDDEN, desc = "An entry was lost, or in two hands.")
@State
public class FreeIndexesStress {
  private static final MemorySegment TABLE =
      Arena.global().allocate((long) ShmLayout.TABLE_ENTRIES << ShmLayout.ENTRY_SHIFT, 64);
  private static final FreeIndexes FREE = new FreeIndexes(TABLE.address());
  private static final AtomicIntegerArray TAKEN = new AtomicIntegerArray(ShmLayout.TABLE_ENTRIES);

  static {
    int first = FREE.take();
    int second = FREE.take();
    while (FREE.take() >= 0) {}
    FREE.give(first);
    FREE.give(second);
  }

  /** 1 if it had one alone, -1 if not alone, 0 if there was none. */
  private static int borrow() {
    int index = FREE.take();
    if (index < 0) {
      return 0;
    }
    boolean alone = TAKEN.incrementAndGet(index) == 1;
    TAKEN.decrementAndGet(index);
    FREE.give(index);
    return alone ? 1 : -1;
  }

  /** Takes one and gives it back. */
  @Actor
  public void first(III_Result result) {
    result.r1 = borrow();
  }

  /** Takes one and gives it back. */
  @Actor
  public void second(III_Result result) {
    result.r2 = borrow();
  }

  /** How many are left. */
  @Arbiter
  public void left(III_Result result) {
    result.r3 = count();
  }

  private static synchronized int count() {
    int one = FREE.take();
    int count = 0;
    if (one >= 0) {
      count = 1 + count();
      FREE.give(one);
    }
    return count;
  }
}
