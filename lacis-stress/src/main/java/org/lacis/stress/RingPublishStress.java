package org.lacis.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.engine.CellRing;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Who reads a cell sees all that its writer put there. */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Looked before it was published.")
@Outcome(id = "7, 8", expect = ACCEPTABLE, desc = "Saw all of it.")
@Outcome(expect = FORBIDDEN, desc = "Saw a part of it.")
@State
public class RingPublishStress {
  private final CellRing ring = new CellRing(2);
  private final Cell[] cells = {new Cell(), new Cell()};

  private static final class Cell {
    int left;
    int right;
  }

  /** Writes both halves. */
  @Actor
  public void writer() {
    int cell = ring.claimWrite();
    cells[cell].left = 7;
    cells[cell].right = 8;
    ring.publish(cell);
  }

  /** Reads both halves, the last one first. */
  @Actor
  public void reader(II_Result result) {
    int cell = ring.claimRead();
    if (cell >= 0) {
      result.r2 = cells[cell].right;
      result.r1 = cells[cell].left;
      ring.free(cell);
    }
  }
}
