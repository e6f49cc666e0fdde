package org.lacis.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.engine.CellRing;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Two threads write into the last free cell of a ring: one gets it, and the other finds it full.
 */
@JCStressTest
@Outcome(id = "2, 0, 12, 0", expect = ACCEPTABLE, desc = "The first got it.")
@Outcome(id = "0, 3, 13, 0", expect = ACCEPTABLE, desc = "The second got it.")
@Outcome(expect = FORBIDDEN, desc = "Both got it, or nobody.")
@State
public class RingLastCellStress {
  private final CellRing ring = new CellRing(2);
  private final int[] cells = new int[2];

  /** With one cell left. */
  public RingLastCellStress() {
    write(1);
  }

  /** Writes. */
  @Actor
  public void first(IIII_Result result) {
    result.r1 = write(2);
  }

  /** Writes. */
  @Actor
  public void second(IIII_Result result) {
    result.r2 = write(3);
  }

  /** Reads what is there. */
  @Arbiter
  public void left(IIII_Result result) {
    for (int cell = ring.claimRead(); cell >= 0; cell = ring.claimRead()) {
      result.r3 = 10 * result.r3 + cells[cell];
      ring.free(cell);
    }
    result.r4 = ring.size();
  }

  private int write(int value) {
    int cell = ring.claimWrite();
    if (cell < 0) {
      return 0;
    }
    cells[cell] = value;
    ring.publish(cell);
    return value;
  }
}
