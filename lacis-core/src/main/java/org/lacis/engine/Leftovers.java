package org.lacis.engine;

import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.lacis.match.Matcher;

/** Ends what is under way on a device that was closed. */
final class Leftovers {

  private final EngineDevice device;
  private final OperationTable table;

  Leftovers(EngineDevice device, OperationTable table) {
    this.device = device;
    this.table = table;
  }

  /** Ends all but what is in the hand of a thread, which finds the device closed. */
  void endAll() {
    table.forEach(this::endLeft);
  }

  private void endLeft(Operation op) {
    long use = op.wireId();
    VarHandle.loadLoadFence();
    switch (op.state) {
      case RECEIVE -> {
        Matcher matcher = op.matcher;
        if (matcher != null && matcher.remove(op, use)) {
          device.complete(op, op.rank, op.tag, 0, Errors.closed(op.rank));
        }
      }
      case FREE, ARRIVAL -> {}
      default -> end(op, use);
    }
  }

  /** Ends what is under way on a device that is closed, unless another thread does. */
  void end(Operation op, long use) {
    if (!table.claimLeft(op, use)) {
      return;
    }
    switch (op.state) {
      case SEND, TRANSFER, BACKLOG, NOTIFY, RECEIVE_LATER -> {
        device.requests.deregister(op);
        EngineDevice other = device.engine.defaultDevice();
        if (op.state == Operation.State.BACKLOG && !other.isClosed() && !other.isGone(op.rank)) {
          other.orderedSends.skip(op);
        }
        if (op.packet != 0) {
          Objects.requireNonNull(op.pool).give(op.packet);
        }
        device.complete(op, op.rank, Frame.tag(op.h0), 0, Errors.closed(op.rank));
      }
      case PULL, ANSWER, DELIVER -> device.pulls.abandon(op);
      case FINISH -> table.give(op);
      case END -> device.tell(op);
      default -> {}
    }
  }
}
