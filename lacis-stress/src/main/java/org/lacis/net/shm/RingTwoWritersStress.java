package org.lacis.net.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two threads write two messages each: all are there, whole, and each thread's in its order. */
@JCStressTest
@Outcome(
    id = {"1234", "1324", "1342", "3124", "3142", "3412"},
    expect = ACCEPTABLE,
    desc = "All four, each thread's in order.")
@Outcome(expect = FORBIDDEN, desc = "Lost, doubled, torn or out of order.")
@State
public class RingTwoWritersStress {
  private final StressRing ring = new StressRing(8);

  /** Writes the first two. */
  @Actor
  public void first() {
    ring.write(1);
    ring.write(2);
  }

  /** Writes the other two. */
  @Actor
  public void second() {
    ring.write(3);
    ring.write(4);
  }

  /** Reads all. */
  @Arbiter
  public void reader(I_Result result) {
    result.r1 = ring.readAll();
  }
}
