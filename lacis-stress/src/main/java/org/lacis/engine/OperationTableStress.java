package org.lacis.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * One thread takes two operations and gives the first back while another takes one: no operation is
 * in two hands.
 */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "All in different hands.")
@Outcome(expect = FORBIDDEN, desc = "An operation was handed out twice.")
@State
public class OperationTableStress {
  private static final OperationTable TABLE =
      new OperationTable(null, new CoarseClock(), new Turn());

  private Operation kept;
  private Operation taken;

  /** Takes, takes, gives back. */
  @Actor
  public void giver() {
    Operation first = TABLE.take();
    kept = TABLE.take();
    TABLE.give(first);
  }

  /** Takes. */
  @Actor
  public void taker() {
    taken = TABLE.take();
  }

  /** Compares with one more, and gives all back. */
  @Arbiter
  public void after(Z_Result result) {
    Operation more = TABLE.take();
    result.r1 = kept != taken && kept != more && taken != more;
    TABLE.give(kept);
    TABLE.give(taken);
    TABLE.give(more);
  }
}
