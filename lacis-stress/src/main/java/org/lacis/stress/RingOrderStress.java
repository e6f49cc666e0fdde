package org.lacis.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.engine.CellRing;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** One thread writes two cells and another reads two: in the order they were written. */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Looked before anything was published.")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The first was there at the second look.")
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The second was not there yet.")
@Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "Both were there.")
@Outcome(expect = FORBIDDEN, desc = "Out of order, or twice.")
@State
public class RingOrderStress {
  private final CellRing ring = new CellRing(2);
  private final int[] cells = new int[2];

  /** Writes two cells. */
  @Actor
  public void writer() {
    write(1);
    write(2);
  }

  /** Reads two cells. */
  @Actor
  public void reader(II_Result result) {
    result.r1 = read();
    result.r2 = read();
  }

  private void write(int value) {
    int cell = ring.claimWrite();
    cells[cell] = value;
    ring.publish(cell);
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
