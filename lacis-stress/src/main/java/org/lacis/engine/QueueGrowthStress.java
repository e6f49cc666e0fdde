package org.lacis.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.QueueOptions;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A full queue grows under two writers while a reader empties it: everything is found once, what
 * one thread has put in comes out in that order.
 */
@JCStressTest
@Outcome(id = "63, 1", expect = ACCEPTABLE, desc = "Each of six once, in the order of each writer.")
@Outcome(expect = FORBIDDEN, desc = "Lost, doubled, or overtaken.")
@State
public class QueueGrowthStress {
  private final Queue queue = new Queue(null, "stress", QueueOptions.growing(2));
  private final StatusRecord into = new StatusRecord();
  private int seen;
  private int last1;
  private int last2;
  private boolean ordered = true;

  /** Full: numbers 0 and 1. */
  public QueueGrowthStress() {
    put(0);
    put(1);
  }

  private void put(int number) {
    StatusRecord status = new StatusRecord();
    status.arrival(number, 0, 0, 0, 0, null);
    queue.signal(status);
  }

  private boolean take() {
    if (!queue.pop(into)) {
      return false;
    }
    int number = into.rank();
    ordered &= (seen & 1 << number) == 0;
    seen |= 1 << number;
    if (number == 2 || number == 3) {
      ordered &= number > last1;
      last1 = number;
    } else if (number > 3) {
      ordered &= number > last2;
      last2 = number;
    }
    return true;
  }

  /** Puts two in. */
  @Actor
  public void writer1() {
    put(2);
    put(3);
  }

  /** Puts two in. */
  @Actor
  public void writer2() {
    put(4);
    put(5);
  }

  /** Takes some. */
  @Actor
  public void reader() {
    for (int i = 0; i < 4; i++) {
      take();
    }
  }

  /** Takes the rest. */
  @Arbiter
  public void after(II_Result result) {
    while (take()) {}
    result.r1 = seen;
    result.r2 = ordered ? 1 : 0;
  }
}
