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

/** A full ring is read and written at once: a cell is written only after it was read. */
@JCStressTest
@Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "It was still full.")
@Outcome(id = "1, 3, 23", expect = ACCEPTABLE, desc = "The freed cell was written.")
@Outcome(expect = FORBIDDEN, desc = "A cell was written while it was read, or a message was lost.")
@State
public class RingFullStress {
  private final CellRing ring = new CellRing(2);
  private final int[] cells = new int[2];

  /** Full. */
  public RingFullStress() {
    write(1);
    write(2);
  }

  /** Reads the first message. */
  @Actor
  public void reader(III_Result result) {
    int cell = ring.claimRead();
    result.r1 = cells[cell];
    ring.free(cell);
  }

  /** Writes the third. */
  @Actor
  public void writer(III_Result result) {
    result.r2 = write(3);
  }

  /** Reads what is left. */
  @Arbiter
  public void left(III_Result result) {
    for (int cell = ring.claimRead(); cell >= 0; cell = ring.claimRead()) {
      result.r3 = 10 * result.r3 + cells[cell];
      ring.free(cell);
    }
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
