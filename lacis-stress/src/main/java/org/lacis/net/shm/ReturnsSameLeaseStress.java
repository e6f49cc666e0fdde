package org.lacis.net.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads give the same packet back: one of them succeeds, and it comes back once. */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "The first.")
@Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "The second.")
@Outcome(expect = FORBIDDEN, desc = "Both or neither, or it came back as often.")
@State
public class ReturnsSameLeaseStress {
  private final StressPacket packet = new StressPacket();

  /** Gives it back. */
  @Actor
  public void first(III_Result result) {
    result.r1 = packet.giveBack();
  }

  /** Gives it back. */
  @Actor
  public void second(III_Result result) {
    result.r2 = packet.giveBack();
  }

  /** Counts. */
  @Arbiter
  public void returned(III_Result result) {
    result.r3 = packet.returned();
  }
}
