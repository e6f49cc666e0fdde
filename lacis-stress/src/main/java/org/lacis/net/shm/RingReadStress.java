package org.lacis.net.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Messages are read while they are written: each comes once, whole and in order. */
@JCStressTest
@Outcome(id = "0, 12", expect = ACCEPTABLE, desc = "Read before anything was published.")
@Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "Read after the first.")
@Outcome(id = "12, 0", expect = ACCEPTABLE, desc = "Read after both.")
@Outcome(expect = FORBIDDEN, desc = "Lost, doubled, torn or out of order.")
@State
public class RingReadStress {
  private final StressRing ring = new StressRing(4);

  /** Writes two. */
  @Actor
  public void writer() {
    ring.write(1);
    ring.write(2);
  }

  /** Reads what is there. */
  @Actor
  public void reader(II_Result result) {
    result.r1 = ring.readAll();
  }

  /** Reads the rest. */
  @Arbiter
  public void rest(II_Result result) {
    result.r2 = ring.readAll();
  }
}
