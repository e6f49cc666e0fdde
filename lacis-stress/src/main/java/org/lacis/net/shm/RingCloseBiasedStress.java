package org.lacis.net.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.net.NetDevice;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The same with a thread that owns the ring's bias, and writes until it is refused. */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "As many as were accepted, in order.")
@Outcome(expect = FORBIDDEN, desc = "Accepted and not there at the end, torn or out of order.")
@State
public class RingCloseBiasedStress {
  private static final int MOST = 16;

  private final StressRing ring = new StressRing(32);
  private volatile boolean owned;
  private int accepted;
  private int atTheEnd;

  /** Makes the ring its own, and goes on writing. */
  @Actor
  public void owner() {
    ring.own();
    owned = true;
    while (accepted < MOST && ring.tryWrite(accepted + 1) == NetDevice.OK) {
      accepted++;
    }
  }

  /** Closes the ring and reads what is there. */
  @Actor
  public void closer() {
    while (!owned) {
      Thread.yield();
    }
    ring.writer.close();
    ring.readAll();
    atTheEnd = ring.count();
  }

  /** How many were accepted and are not there, and how many are not what they should be. */
  @Arbiter
  public void compare(II_Result result) {
    result.r1 = accepted - atTheEnd;
    for (int i = 0; i < atTheEnd; i++) {
      result.r2 += ring.number(i) == i + 1 ? 0 : 1;
    }
  }
}
