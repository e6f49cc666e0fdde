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

/** A completion comes while another is popped: each is found once, whole, and in order. */
@JCStressTest
@Outcome(id = "11, 22", expect = ACCEPTABLE, desc = "Each once.")
@Outcome(expect = FORBIDDEN, desc = "Lost, doubled, torn or out of order.")
@State
public class QueueStress {
  private final Queue queue = new Queue(null, "stress", QueueOptions.bounded(2));
  private int first;

  /** With one completion in it. */
  public QueueStress() {
    queue.signal(status(1));
  }

  private static StatusRecord status(int n) {
    StatusRecord status = new StatusRecord();
    status.arrival(n, 10 * n, 0, 0, 0, null);
    return status;
  }

  private static int pop(Queue queue) {
    StatusRecord into = new StatusRecord();
    return queue.pop(into) ? into.rank() + into.tag() : -1;
  }

  /** Signals. */
  @Actor
  public void signaller() {
    queue.signal(status(2));
  }

  /** Pops one. */
  @Actor
  public void reader() {
    first = pop(queue);
  }

  /** Pops the other. */
  @Arbiter
  public void after(II_Result result) {
    result.r1 = first;
    result.r2 = pop(queue);
  }
}
