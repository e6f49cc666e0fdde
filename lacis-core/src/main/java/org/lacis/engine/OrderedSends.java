package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.Completion;
import org.lacis.Post;
import org.lacis.match.OrderedKeys;

/** Sends by ordered matching engines: they carry their number and the hash of their key. */
final class OrderedSends {

  private final EngineDevice device;
  private final int rank;
  private final OperationTable table;

  OrderedSends(EngineDevice device, int rank, OperationTable table) {
    this.device = device;
    this.rank = rank;
    this.table = table;
  }

  /** Sends a buffer by the default engine. */
  Post send(int to, MemorySegment buffer, int tag, Matching matching, Completion done) {
    device.checks.rank(to);
    int hash = OrderedKeys.hash(rank, tag);
    SendOrder order = matching.sendOrder;
    if (order == null) {
      return carry(to, buffer, tag, matching, Frame.order(0, hash), done);
    }
    long number = order.hold(to, false);
    if (number == SendOrder.BUSY) {
      return device.watch.retry(to, Post.RETRY_LOCK);
    }
    boolean sent = false;
    try {
      Post answer = carry(to, buffer, tag, matching, Frame.order(number, hash), done);
      sent = !answer.isRetry();
      return answer;
    } finally {
      order.letGo(to, number, sent);
    }
  }

  private Post carry(
      int to, MemorySegment buffer, int tag, Matching matching, long order, Completion done) {
    return device.outgoing.send(
        to,
        Frame.h0(Frame.EAGER_SEND, 0, matching.index, tag) | matching.style,
        buffer,
        0,
        buffer.byteSize(),
        device.engine.pool,
        done,
        null,
        order,
        false,
        Outgoing.DEFAULT_FLAGS);
  }

  Post send(EnginePosting p, long h0, Matching matching, int flags, Completion done) {
    int hash = OrderedKeys.hash(rank, p.tag);
    SendOrder order = matching.sendOrder;
    if (order == null) {
      return carry(p, h0, Frame.order(0, hash), flags, done);
    }
    // A packet is not the caller's any more when it is sent.
    MemorySegment buffer = p.packet == null ? p.buffer : p.packet.segment();
    int to = p.rank;
    long number = order.hold(to, (flags & Outgoing.ALLOW_RETRY) == 0);
    if (number == SendOrder.BUSY) {
      return device.watch.retry(to, Post.RETRY_LOCK);
    }
    boolean sent = false;
    Post answer;
    try {
      // Nothing is signalled before the receiver is let go: a handler may send to it again.
      answer = carry(p, h0, Frame.order(number, hash), flags | Outgoing.ALLOW_DONE, done);
      sent = !answer.isRetry();
    } finally {
      order.letGo(to, number, sent);
    }
    boolean told = answer != Post.DONE || (flags & Outgoing.ALLOW_DONE) != 0;
    return told ? answer : tell(p, h0, buffer, done);
  }

  private Post carry(EnginePosting p, long h0, long order, int flags, Completion done) {
    p.immediateGiven = true;
    p.immediate = order;
    try {
      return PostingRoute.send(p, device, h0, flags, done);
    } finally {
      p.immediateGiven = false;
      p.immediate = 0;
    }
  }

  /**
   * Tells the receiver of a message that waited in the backlog of a device, and does not go since
   * that is closed: those behind it would wait for it.
   */
  void skip(Operation op) {
    Matching matching = device.engine.matchings.get(Frame.index(op.h0));
    if (Frame.kind(op.h0) != Frame.EAGER_SEND || matching == null || matching.sendOrder == null) {
      return;
    }
    long h0 = Frame.h0(Frame.SKIP, 0, matching.index, 0) | matching.style;
    device.outgoing.send(
        op.rank,
        h0,
        MemorySegment.NULL,
        0,
        0,
        device.engine.pool,
        Completion.NONE,
        null,
        op.immediate,
        false,
        Outgoing.ALLOW_DONE);
  }

  /** Signals a send that is done, since that was asked for. */
  private Post tell(EnginePosting p, long h0, @Nullable MemorySegment buffer, Completion done) {
    Operation op = table.take();
    op.rank = p.rank;
    op.h0 = h0;
    op.buffer = buffer;
    op.list = p.list;
    op.offset = p.offset;
    op.length = p.list == null ? p.length : p.list.length();
    op.done = done;
    op.context = p.context;
    device.complete(op, p.rank, p.tag, op.length, null);
    return Post.POSTED;
  }
}
