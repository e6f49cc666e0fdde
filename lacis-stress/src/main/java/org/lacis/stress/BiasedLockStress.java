package org.lacis.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.net.BiasedLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A lock is biased to a thread that keeps taking it, and another thread ends that: no addition to a
 * plain field under the lock is lost.
 */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "One after the other.")
@Outcome(expect = FORBIDDEN, desc = "Both were inside.")
@State
public class BiasedLockStress {
  /** More often than it takes for a lock to be biased. */
  private static final int OFTEN = 300;

  private final BiasedLock lock = new BiasedLock();
  private volatile boolean owned;
  private int sum;
  private int owner;
  private int other;

  /** Makes the lock its own, and goes on taking it. */
  @Actor
  public void owner() {
    for (int i = 0; i < OFTEN; i++) {
      owner += add();
    }
    owned = true;
    for (int i = 0; i < OFTEN; i++) {
      owner += add();
    }
  }

  /** Takes it in the middle of that. */
  @Actor
  public void other() {
    while (!owned) {
      Thread.yield();
    }
    for (int i = 0; i < 4; i++) {
      other += add();
    }
  }

  /** Looks for what is missing. */
  @Arbiter
  public void missing(I_Result result) {
    result.r1 = owner + other - sum;
  }

  private int add() {
    if (!lock.tryLock()) {
      return 0;
    }
    sum++;
    lock.unlock();
    return 1;
  }
}
