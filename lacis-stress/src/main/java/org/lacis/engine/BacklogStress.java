package org.lacis.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two are pushed while progress works the backlog off: each goes on once, in order. */
@JCStressTest
@Outcome(id = "12, 0", expect = ACCEPTABLE, desc = "Both, in order.")
@Outcome(expect = FORBIDDEN, desc = "Lost, doubled or out of order.")
@State
public class BacklogStress {
  private final BacklogQueue backlog = new BacklogQueue(8);
  private final Operation one = operation(1);
  private final Operation two = operation(2);
  private int seen;

  private static Operation operation(int tag) {
    Operation op = new Operation(null, tag, java.lang.foreign.MemorySegment.NULL);
    op.tag = tag;
    return op;
  }

  private boolean resume(Operation op) {
    seen = 10 * seen + op.tag;
    return true;
  }

  /** Pushes two. */
  @Actor
  public void poster() {
    backlog.push(one);
    backlog.push(two);
  }

  /** Drains what is there. */
  @Actor
  public void progress() {
    backlog.drain(this::resume);
  }

  /** Drains the rest. */
  @Arbiter
  public void after(II_Result result) {
    backlog.drain(this::resume);
    result.r1 = seen;
    result.r2 = backlog.length();
  }
}
