package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.lacis.BufferList;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;

/**
 * Transfers in several pieces that end as one. They are set off one after the other, by any thread;
 * each may end at once or later, on the thread that polls, and whoever ends the last one ends the
 * operation. If one fails no more are set off, and those under way are waited for.
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

  /** Gets an operation ready for {@link #issue}. */
  static void prepare(Operation op, int pieces) {
    op.pieces = pieces;
    op.nextPiece = 0;
    op.moved = 0;
    op.failure = NetDevice.OK;
    op.outstanding = 1;
  }

  /**
   * Sets off what has not been.
   *
   * @return {@link NetDevice#OK}, and the operation may be over; or why there was no room for all,
   *     so that it must be called again
   */
  int issue(Operation op) {
    while (op.nextPiece < op.pieces && op.failure == NetDevice.OK) {
      // Counted before the call: it may end before the call returns.
      OUTSTANDING.getAndAdd(op, 1);
      int answer =
          op.state == Operation.State.PULL
              ? pull(op, op.nextPiece)
              : transfers.move(op, op.nextPiece);
      if (answer != NetDevice.PENDING) {
        OUTSTANDING.getAndAdd(op, -1);
      }
      if (answer < 0) {
        if (answer > NetDevice.NO_ACCESS) {
          return answer;
        }
        op.failure = answer;
      } else {
        op.nextPiece++;
      }
    }
    ended(op, NetDevice.OK);
    return NetDevice.OK;
  }

  /** A piece has ended, or all were set off. */
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

  /** A list that is pulled, or something else that is pulled into a list. */
  private int pull(Operation request, int piece) {
    long table = Pulls.table(request);
    Operation receive = request.receive;
    BufferList list = receive == null ? null : receive.list;
    MemorySegment part = list == null ? null : list.part(piece);
    long length =
        table != 0
            ? ListFrame.length(table, piece)
            : Math.min(
                Pulls.length(request) - request.moved, Objects.requireNonNull(part).byteSize());
    if (length == 0) {
      return NetDevice.OK;
    }
    MemorySegment target;
    long offset;
    if (part != null) {
      target = Buffers.shareable(part);
      offset = Buffers.offset(target, part, 0);
    } else {
      target = Pulls.target(request);
      offset = Pulls.targetOffset(request) + request.moved;
    }
    long moved = request.moved;
    request.moved = moved + length;
    int answer =
        table != 0
            ? net.get(
                request.rank,
                target,
                offset,
                length,
                ListFrame.key(table, piece),
                0,
                0,
                0,
                request.id)
            : net.get(
                request.rank,
                target,
                offset,
                length,
                Memory.getLong(request.payload + Frame.RTS_KEY),
                moved,
                0,
                0,
                request.id);
    if (answer < 0) {
      request.moved = moved;
    }
    return answer;
  }
}
