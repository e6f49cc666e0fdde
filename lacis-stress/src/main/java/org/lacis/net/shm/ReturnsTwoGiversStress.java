package org.lacis.net.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads give packets back at once: both come back. */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Each once.")
@Outcome(expect = FORBIDDEN, desc = "Lost or doubled.")
@State
public class ReturnsTwoGiversStress {
  private final StressPacket one = new StressPacket();
  private final StressPacket two = new StressPacket();

  /** Gives one back. */
  @Actor
  public void first() {
    one.giveBack();
  }

  /** Gives the other back. */
  @Actor
  public void second() {
    two.giveBack();
  }

  /** Counts. */
  @Arbiter
  public void returned(II_Result result) {
    result.r1 = one.returned();
    result.r2 = two.returned();
  }
}
