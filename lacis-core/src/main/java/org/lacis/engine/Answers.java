package org.lacis.engine;

import java.util.Objects;
import org.lacis.Post;
import org.lacis.net.NetDevice;

/** What the network has answered, made into the answer to a post, and the end of its operation. */
final class Answers {

  private final EngineDevice device;
  private final OperationTable table;
  private final Watch watch;

  Answers(EngineDevice device, OperationTable table) {
    this.device = device;
    this.table = table;
    this.watch = device.watch;
  }

  /**
   * The answer to a post that was tried; the operation is given back if it is not under way.
   *
   * @param use its {@link Operation#wireId} before it was tried
   */
  Post conclude(Operation op, long use, int answer, int flags) {
    if (answer == NetDevice.PENDING) {
      device.letGo(op, use);
      return Post.POSTED;
    }
    if (answer == NetDevice.OK && (flags & Outgoing.ALLOW_DONE) != 0) {
      table.give(op);
      return Post.DONE;
    }
    if (answer == NetDevice.OK || answer == NetDevice.NO_ACCESS) {
      settle(op, answer);
      return Post.POSTED;
    }
    if (answer == NetDevice.PEER_GONE
        || (flags & Outgoing.ALLOW_RETRY) != 0
        || device.backlog.isFull()) {
      int rank = op.rank;
      table.give(op);
      refuseIfGone(answer, rank);
      return (flags & Outgoing.ALLOW_RETRY) != 0
          ? retry(rank, answer)
          : watch.retry(rank, Post.RETRY_BACKLOG);
    }
    return backlogged(op);
  }

  Post backlogged(Operation op) {
    long use = op.wireId();
    op.state = Operation.State.BACKLOG;
    device.keep(op);
    device.letGo(op, use);
    return Post.POSTED;
  }

  /** Ends an operation of the backlog as the network has answered; false if it must stay. */
  boolean settle(Operation op, int answer) {
    if (answer == NetDevice.PENDING) {
      return true;
    }
    if (answer < 0 && answer > NetDevice.NO_ACCESS) {
      return false;
    }
    if (answer < 0 && op.packet != 0) {
      Objects.requireNonNull(op.pool).give(op.packet);
    }
    device.complete(
        op, op.rank, Frame.tag(op.h0), answer == 0 ? op.length : 0, Errors.of(answer, op.rank));
    return true;
  }

  Post retry(int rank, int answer) {
    return watch.retry(
        rank,
        switch (answer) {
          case NetDevice.BUSY -> Post.RETRY_LOCK;
          case NetDevice.FULL -> Post.RETRY_QUEUE;
          case Outgoing.NO_PACKET -> Post.RETRY_PACKET;
          default -> Post.RETRY_MEMORY;
        });
  }

  void refuseIfGone(int answer, int rank) {
    if (answer == NetDevice.PEER_GONE) {
      // To this rank itself, by a device that was closed just now.
      device.requireOpen();
      throw device.engine.failures.error(rank);
    }
  }
}
