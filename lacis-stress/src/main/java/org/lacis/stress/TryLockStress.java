package org.lacis.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.net.TryLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads try a lock to add to a plain field: no addition under the lock is lost. */
@JCStressTest
@Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "One after the other.")
@Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "The second found it locked.")
@Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "The first found it locked.")
@Outcome(expect = FORBIDDEN, desc = "Both were inside, or neither.")
@State
public class TryLockStress {
  private final TryLock lock = new TryLock();
  private int count;

  /** Adds one. */
  @Actor
  public void first(III_Result result) {
    result.r1 = add();
  }

  /** Adds one. */
  @Actor
  public void second(III_Result result) {
    result.r2 = add();
  }

  /** Looks at the sum. */
  @Arbiter
  public void sum(III_Result result) {
    result.r3 = count;
  }

  private int add() {
    if (!lock.tryLock()) {
      return 0;
    }
    count++;
    lock.unlock();
    return 1;
  }
}
