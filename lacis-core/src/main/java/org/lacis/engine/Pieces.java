package org.lacis.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.lacis.net.NetDevice;
import org.lacis.net.NetPieces;

/**
 * Transfers in several pieces that end as one. They are set off one after the other, or some at
 * once, by any thread; each may end at once or later, on the thread that polls, and whoever ends
 * the last one ends the operation. If one fails no more are set off, and those under way are waited
 * for.
 */
final class Pieces {

  private static final VarHandle OUTSTANDING;

  static {
    try {
      OUTSTANDING = MethodHandles.lookup().findVarHandle(Operation.class, "outstanding", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final NetDevice net;
  private final Pulls pulls;
  private final ListTransfers transfers;

  Pieces(NetDevice net, Pulls pulls, ListTransfers transfers) {
    this.net = net;
    this.pulls = pulls;
    this.transfers = transfers;
  }

  /** Gets an operation ready for {@link #issue}: the pieces are to be added. */
  static NetPieces prepare(Operation op) {
    NetPieces pieces = op.pieces;
    if (pieces == null) {
      pieces = new NetPieces();
      op.pieces = pieces;
    }
    op.inPieces = true;
    op.failure = NetDevice.OK;
    op.outstanding = 1;
    return pieces;
  }

  /**
   * Sets off what has not been.
   *
   * @return {@link NetDevice#OK}, and the operation may be over; or why there was no room for all,
   *     so that it must be called again
   */
  int issue(Operation op) {
    NetPieces pieces = Objects.requireNonNull(op.pieces);
    boolean put = op.state == Operation.State.TRANSFER && !op.input;
    while (pieces.next() < pieces.count() && op.failure == NetDevice.OK) {
      // Counted before the call: it may end before the call returns.
      OUTSTANDING.getAndAdd(op, 1);
      int answer = net.transfer(put, op.rank, pieces, op.id);
      if (answer != NetDevice.PENDING) {
        OUTSTANDING.getAndAdd(op, -1);
      }
      if (answer < 0) {
        if (answer > NetDevice.NO_ACCESS) {
          return answer;
        }
        op.failure = answer;
      }
    }
    ended(op, NetDevice.OK);
    return NetDevice.OK;
  }

  /** What was set off at once has ended, or all were set off. */
  void ended(Operation op, int result) {
    if (result != NetDevice.OK) {
      op.failure = result;
    }
    if ((int) OUTSTANDING.getAndAdd(op, -1) == 1) {
      if (op.state == Operation.State.PULL) {
        pulls.ended(op, op.failure);
      } else {
        transfers.ended(op, op.failure);
      }
    }
  }
}
