package org.lacis.net.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A full ring is read while a thread looks for room: no cell is written before it was read. */
@JCStressTest
@Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "It was still full.")
@Outcome(id = "1, 1, 23", expect = ACCEPTABLE, desc = "The freed cell was written.")
@Outcome(expect = FORBIDDEN, desc = "A cell was written while it was read, or a message was lost.")
@State
public class RingRoomStress {
  private final StressRing ring = new StressRing(2);

  /** Full. */
  public RingRoomStress() {
    ring.write(1);
    ring.write(2);
  }

  /** Reads the first message. */
  @Actor
  public void reader(III_Result result) {
    result.r1 = ring.read(1);
  }

  /** Writes the third, if there is room. */
  @Actor
  public void writer(III_Result result) {
    result.r2 = ring.write(3) ? 1 : 0;
  }

  /** Reads the rest. */
  @Arbiter
  public void rest(III_Result result) {
    result.r3 = ring.readAll();
  }
}
