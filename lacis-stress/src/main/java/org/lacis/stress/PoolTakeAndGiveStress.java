package org.lacis.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.engine.LongPool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** One thread gives while another takes: the value is taken, or still there. */
@JCStressTest
@Outcome(id = "7, 0, 0", expect = ACCEPTABLE, desc = "It was taken.")
@Outcome(id = "0, 7, 1", expect = ACCEPTABLE, desc = "It is still there.")
@Outcome(expect = FORBIDDEN, desc = "It was lost or handed out twice.")
@State
public class PoolTakeAndGiveStress {
  private final LongPool pool = new LongPool(4);

  /** Gives. */
  @Actor
  public void give() {
    pool.give(7);
  }

  /** Takes. */
  @Actor
  public void take(JJJ_Result result) {
    result.r1 = pool.take();
  }

  /** Takes what is left. */
  @Arbiter
  public void left(JJJ_Result result) {
    result.r3 = pool.size();
    result.r2 = pool.take();
  }
}
