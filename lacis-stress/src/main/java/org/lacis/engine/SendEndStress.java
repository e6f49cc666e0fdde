package org.lacis.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A send whose request found no room, while its peer is found to be gone: one thread ends it. */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The poster, before it was noticed.")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The one who noticed.")
@Outcome(expect = FORBIDDEN, desc = "Ended twice, or not at all.")
@State
public class SendEndStress {
  private final OperationTable table = new OperationTable(null, new CoarseClock(), new Turn());
  private final Operation op = table.take();
  private final long use = op.wireId();

  /** With a send under way. */
  public SendEndStress() {
    op.state = Operation.State.SEND;
  }

  /** Its request was refused: it gives the operation back. */
  @Actor
  public void poster(ZZ_Result result) {
    result.r1 = table.claim(op, use);
    if (result.r1) {
      table.give(op);
    }
  }

  /** Its peer is gone: completes it, and gives it back. */
  @Actor
  public void sweep(ZZ_Result result) {
    result.r2 = table.claim(op, use);
    if (result.r2) {
      table.give(op);
    }
  }
}
