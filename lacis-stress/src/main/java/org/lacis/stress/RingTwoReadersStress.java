package org.lacis.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.engine.CellRing;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads read from a ring with one message: one gets it, and the other finds it empty. */
@JCStressTest
@Outcome(id = "7, 0, 0", expect = ACCEPTABLE, desc = "The first got it.")
@Outcome(id = "0, 7, 0", expect = ACCEPTABLE, desc = "The second got it.")
@Outcome(expect = FORBIDDEN, desc = "Both got it, or nobody.")
@State
public class RingTwoReadersStress {
  private final CellRing ring = new CellRing(2);
  private final int[] cells = new int[2];

  /** With one message. */
  public RingTwoReadersStress() {
    int cell = ring.claimWrite();
    cells[cell] = 7;
    ring.publish(cell);
  }

  /** Reads. */
  @Actor
  public void first(III_Result result) {
    result.r1 = read();
  }

  /** Reads. */
  @Actor
  public void second(III_Result result) {
    result.r2 = read();
  }

  /** Counts what is left. */
  @Arbiter
  public void left(III_Result result) {
    result.r3 = ring.size();
  }

  private int read() {
    int cell = ring.claimRead();
    if (cell < 0) {
      return 0;
    }
    int value = cells[cell];
    ring.free(cell);
    return value;
  }
}
