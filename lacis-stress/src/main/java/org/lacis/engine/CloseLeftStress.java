package org.lacis.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** An operation is left under way while its device is closed: one thread ends it. */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The poster, who finds it closed.")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The one who closes.")
@Outcome(expect = FORBIDDEN, desc = "Ended twice, or not at all.")
@State
public class CloseLeftStress {
  private final OperationTable table = new OperationTable(null, new CoarseClock(), new Turn());
  private final Operation op = table.take();
  private volatile boolean closed;

  /** Leaves a transfer under way. */
  @Actor
  public void poster(ZZ_Result result) {
    long use = op.wireId();
    op.state = Operation.State.TRANSFER;
    if (op.letGo(use) && closed) {
      result.r1 = table.claimLeft(op, use);
    }
  }

  /** Ends what it finds. */
  @Actor
  public void closer(ZZ_Result result) {
    closed = true;
    VarHandle.fullFence();
    long use = op.wireId();
    VarHandle.loadLoadFence();
    if (op.state == Operation.State.TRANSFER) {
      result.r2 = table.claimLeft(op, use);
    }
  }
}
