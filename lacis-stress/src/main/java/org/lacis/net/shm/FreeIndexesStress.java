package org.lacis.net.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two threads take two entries each of a table that has three left, and give them back, each to its
 * own stack: no entry is in two hands, and none is lost.
 */
@JCStressTest
@Outcome(id = "0, 0, 3", expect = ACCEPTABLE, desc = "Each in one hand.")
@Outcome(expect = FORBIDDEN, desc = "An entry was lost, or in two hands.")
@State
public class FreeIndexesStress {
  private static final int LEFT = 3;
  private static final MemorySegment TABLE =
      Arena.global().allocate((long) ShmLayout.TABLE_ENTRIES << ShmLayout.ENTRY_SHIFT, 64);
  private static final FreeIndexes FREE = new FreeIndexes(TABLE.address());
  private static final AtomicIntegerArray HANDS = new AtomicIntegerArray(ShmLayout.TABLE_ENTRIES);

  static {
    int[] back = new int[LEFT];
    Arrays.setAll(back, i -> FREE.take());
    while (FREE.take() >= 0) {}
    Arrays.stream(back).forEach(FREE::give);
  }

  /** How many of the entries it had were in other hands too. */
  private static int borrowTwo() {
    int one = FREE.take();
    int shared = hold(one);
    int two = FREE.take();
    shared += hold(two);
    giveBack(one);
    giveBack(two);
    return shared;
  }

  private static int hold(int index) {
    return index < 0 || HANDS.incrementAndGet(index) == 1 ? 0 : 1;
  }

  private static void giveBack(int index) {
    if (index >= 0) {
      HANDS.decrementAndGet(index);
      FREE.give(index);
    }
  }

  /** Takes two and gives them back. */
  @Actor
  public void first(III_Result result) {
    result.r1 = borrowTwo();
  }

  /** Takes two and gives them back. */
  @Actor
  public void second(III_Result result) {
    result.r2 = borrowTwo();
  }

  /** How many are left. */
  @Arbiter
  public void left(III_Result result) {
    result.r3 = count(LEFT + 1);
  }

  /** Threads that count wait for each other. */
  private static synchronized int count(int most) {
    int index = most == 0 ? -1 : FREE.take();
    if (index < 0) {
      return 0;
    }
    int count = 1 + count(most - 1);
    FREE.give(index);
    return count;
  }
}
