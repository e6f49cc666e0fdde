package org.lacis.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.engine.LongPool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

/**
 * Values lie in the deque of the thread that gave them; two threads take them, stealing several at
 * a time, and one gives its own back: in the end each value is somewhere, once.
 */
@JCStressTest
@Outcome(id = "0, 0, 0, 31", expect = ACCEPTABLE, desc = "All are there.")
@Outcome(expect = FORBIDDEN, desc = "A value was lost, or handed out twice.")
@State
public class PoolStealStress {
  private static final int VALUES = 5;

  private final LongPool pool = new LongPool(VALUES);
  private long first;
  private long second;

  /** With a few values, one bit each. */
  public PoolStealStress() {
    for (int i = 0; i < VALUES; i++) {
      pool.give(1L << i);
    }
  }

  /** Takes two. */
  @Actor
  public void takeTwo() {
    first = pool.take() + pool.take();
  }

  /** Takes two, and gives one of them back. */
  @Actor
  public void takeTwoAndGiveOne() {
    long kept = pool.take();
    long back = pool.take();
    if (back != 0) {
      pool.give(back);
    }
    second = kept;
  }

  /** Adds up what was taken and what is left: no bit twice, and all of them. */
  @Arbiter
  public void left(JJJJ_Result result) {
    result.r1 = first & second;
    result.r4 = first | second;
    for (long value = pool.take(); value != 0; value = pool.take()) {
      result.r2 |= result.r4 & value;
      result.r4 |= value;
    }
    result.r3 = pool.size();
  }
}
