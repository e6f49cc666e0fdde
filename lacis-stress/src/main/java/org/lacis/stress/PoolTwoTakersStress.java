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

/** Two threads take the one value there is: one gets it. */
@JCStressTest
@Outcome(id = "7, 0, 0", expect = ACCEPTABLE, desc = "The first got it.")
@Outcome(id = "0, 7, 0", expect = ACCEPTABLE, desc = "The second got it.")
@Outcome(id = "0, 0, 7", expect = FORBIDDEN, desc = "Both ran away from each other.")
@Outcome(expect = FORBIDDEN, desc = "It was lost or handed out twice.")
@State
public class PoolTwoTakersStress {
  private final LongPool pool = new LongPool(4);

  /** With one value. */
  public PoolTwoTakersStress() {
    pool.give(7);
  }

  /** Takes. */
  @Actor
  public void first(JJJ_Result result) {
    result.r1 = pool.take();
  }

  /** Takes. */
  @Actor
  public void second(JJJ_Result result) {
    result.r2 = pool.take();
  }

  /** Takes what is left. */
  @Arbiter
  public void left(JJJ_Result result) {
    result.r3 = pool.take();
  }
}
