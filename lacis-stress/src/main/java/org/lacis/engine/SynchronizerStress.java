package org.lacis.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Who finds a synchronizer fired sees the status that fired it. */
@JCStressTest
@Outcome(id = "-1, -1", expect = ACCEPTABLE, desc = "Looked before it fired.")
@Outcome(id = "3, 7", expect = ACCEPTABLE, desc = "Saw the status.")
@Outcome(expect = FORBIDDEN, desc = "Fired without its status.")
@State
public class SynchronizerStress {
  private final Sync sync = new Sync(null, "stress", 1);

  /** Signals. */
  @Actor
  public void signaller() {
    StatusRecord status = new StatusRecord();
    status.arrival(3, 7, 0, 0, 0, null);
    sync.signal(status);
  }

  /** Tests, and reads the status. */
  @Actor
  public void waiter(II_Result result) {
    boolean fired = sync.test();
    result.r1 = fired ? sync.status(0).rank() : -1;
    result.r2 = fired ? sync.status(0).tag() : -1;
  }
}
