package org.lacis.net.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.net.NetDevice;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A ring is closed while a thread writes: whatever was accepted is there when it has ended. */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Written before the end.")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Refused.")
@Outcome(expect = FORBIDDEN, desc = "Accepted and not there at the end, or refused and there.")
@State
public class RingCloseStress {
  private final StressRing ring = new StressRing(2);

  /** Writes once. */
  @Actor
  public void writer(II_Result result) {
    result.r1 = ring.tryWrite(1) == NetDevice.OK ? 1 : 0;
  }

  /** Closes the ring and reads what is there. */
  @Actor
  public void closer(II_Result result) {
    ring.writer.close();
    result.r2 = ring.readAll();
  }
}
