package org.lacis.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.net.TryLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A lock is closed while a thread tries it: whoever closes sees all that was done under it. */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Locked before, and it was seen.")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Found it closed.")
@Outcome(expect = FORBIDDEN, desc = "Locked after it was closed, or not seen.")
@State
public class TryLockCloseStress {
  private final TryLock lock = new TryLock();
  private int count;

  /** Adds one. */
  @Actor
  public void user(II_Result result) {
    if (lock.tryLock()) {
      count++;
      lock.unlock();
      result.r1 = 1;
    }
  }

  /** Closes it, and looks. */
  @Actor
  public void closer(II_Result result) {
    lock.close();
    result.r2 = count;
  }
}
