package org.lacis.net.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A ring is biased to a thread that keeps writing, and another thread ends that: no cell is claimed
 * by both.
 */
@JCStressTest
@Outcome(id = "[0-9]+, 17, 0", expect = ACCEPTABLE, desc = "All are there, the owner's in order.")
@Outcome(expect = FORBIDDEN, desc = "Lost, doubled, torn or out of order.")
@State
public class RingBiasStress {
  private static final int OWN = 16;
  private static final int OTHER = 17;

  private final StressRing ring = new StressRing(32);
  private volatile boolean owned;

  /** Makes the ring its own, and goes on writing. */
  @Actor
  public void owner() {
    ring.own();
    owned = true;
    for (int i = 1; i <= OWN; i++) {
      ring.write(i);
    }
  }

  /** Writes one in the middle of that. */
  @Actor
  public void other() {
    while (!owned) {
      Thread.yield();
    }
    ring.write(OTHER);
  }

  /** Where the other's is, how many there are, and how many are not what they should be. */
  @Arbiter
  public void reader(III_Result result) {
    ring.readAll();
    int next = 1;
    for (int i = 0; i < ring.count(); i++) {
      if (ring.number(i) == OTHER) {
        result.r1 = i;
      } else if (ring.number(i) != next++) {
        result.r3++;
      }
    }
    result.r2 = ring.count();
  }
}
