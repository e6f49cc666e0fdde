package org.lacis.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A transfer is done at once, and its operation used again, while its device is closed. */
@JCStressTest
@Outcome(id = "false", expect = ACCEPTABLE, desc = "It is left to the thread that has it in hand.")
@Outcome(expect = FORBIDDEN, desc = "Ended by the one who closes, too.")
@State
public class CloseDoneStress {
  private final OperationTable table = new OperationTable(null, new CoarseClock(), new Turn());
  private final Operation op = table.take();

  /** Gives the operation back, and takes it again. */
  @Actor
  public void poster() {
    op.state = Operation.State.TRANSFER;
    table.give(op);
    table.take().state = Operation.State.TRANSFER;
  }

  /** Finds one of the two. */
  @Actor
  public void closer(Z_Result result) {
    long use = op.wireId();
    VarHandle.loadLoadFence();
    if (op.state == Operation.State.TRANSFER) {
      result.r1 = table.claimLeft(op, use);
    }
  }
}
