package org.lacis.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A round is taken while the next one's signal comes: both rounds have their own status, once each.
 */
@JCStressTest
@Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "Each round has its own.")
@Outcome(expect = FORBIDDEN, desc = "A signal was lost, doubled, or given to the wrong round.")
@State
public class SynchronizerRoundsStress {
  private final Sync sync = new Sync(null, "stress", 1);
  private int first;

  /** With one signal given already. */
  public SynchronizerRoundsStress() {
    sync.signal(status(1));
  }

  private static StatusRecord status(int tag) {
    StatusRecord status = new StatusRecord();
    status.arrival(0, tag, 0, 0, 0, null);
    return status;
  }

  /** Signals once more. */
  @Actor
  public void signaller() {
    sync.signal(status(2));
  }

  /** Takes the first round. */
  @Actor
  public void waiter() {
    first = sync.test() ? sync.status(0).tag() : -1;
  }

  /** Takes the second. */
  @Arbiter
  public void after(II_Result result) {
    result.r1 = first;
    result.r2 = sync.test() ? sync.status(0).tag() : -1;
  }
}
