package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.MatchingPolicy;
import org.lacis.Post;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;
import org.lacis.net.Memory;

/** The receives posted on a device, from the post to their meeting with a message; any thread. */
final class Receives {

  private static final int TAG_ONLY = MatchingPolicy.TAG_ONLY.ordinal();

  /** How often a receive tries a bucket that another thread holds before it answers RETRY_LOCK. */
  private static final int TRIES = 64;

  private final EngineDevice device;
  private final Engine engine;
  private final OperationTable table;
  private final Pulls pulls;

  Receives(EngineDevice device, Engine engine, OperationTable table, Pulls pulls) {
    this.device = device;
    this.engine = engine;
    this.table = table;
    this.pulls = pulls;
  }

  Post receive(
      int rank,
      int tag,
      int policy,
      Matching matching,
      MemorySegment buffer,
      long offset,
      long length,
      Completion done,
      @Nullable Object user,
      int flags) {
    // Before anything is taken: a key function of the user's may throw.
    long key = matching.key(policy, rank, tag);
    Operation op = table.take();
    op.rank = rank;
    op.tag = tag;
    op.h0 = Frame.h0(Frame.EAGER_SEND, policy, matching.index, tag);
    op.buffer = buffer;
    MemorySegment target = Buffers.shareable(buffer);
    op.target = target;
    op.targetOffset = Buffers.offset(target, buffer, offset);
    op.offset = offset;
    op.length = length;
    op.done = done;
    op.context = user;
    op.matcher = matching.matcher;
    op.key(key);
    op.state = Operation.State.RECEIVE;
    // Once it is in, another thread may match, complete and reuse it.
    MatchEntry found = insert(matching.matcher, op);
    if (found == null) {
      return device.isGone(rank) && policy != TAG_ONLY ? failIfGone(op, rank) : Post.POSTED;
    }
    if (found == Matcher.BUSY) {
      return busy(op, flags);
    }
    return matched(op, (Operation) found, flags);
  }

  private Post busy(Operation op, int flags) {
    if ((flags & Outgoing.ALLOW_RETRY) != 0 || device.backlog.isFull()) {
      table.give(op);
      return (flags & Outgoing.ALLOW_RETRY) != 0 ? Post.RETRY_LOCK : Post.RETRY_BACKLOG;
    }
    op.state = Operation.State.RECEIVE_LATER;
    device.backlog.push(op);
    return Post.POSTED;
  }

  /** Posts a receive of the backlog; false if it must stay there. */
  boolean resume(Operation op) {
    op.state = Operation.State.RECEIVE;
    MatchEntry found = Objects.requireNonNull(op.matcher).insertReceive(op);
    if (found == Matcher.BUSY) {
      op.state = Operation.State.RECEIVE_LATER;
      return false;
    }
    if (found != null) {
      matched(op, (Operation) found, 0);
    }
    return true;
  }

  private static @Nullable MatchEntry insert(Matcher matcher, Operation op) {
    MatchEntry found = matcher.insertReceive(op);
    for (int i = 0; found == Matcher.BUSY && i < TRIES; i++) {
      Thread.onSpinWait();
      found = matcher.insertReceive(op);
    }
    return found;
  }

  private Post failIfGone(Operation op, int rank) {
    if (Objects.requireNonNull(op.matcher).remove(op)) {
      table.give(op);
      throw Errors.gone(rank);
    }
    return Post.POSTED;
  }

  /** A receive that finds its message waiting. The message belongs to the device it came by. */
  private Post matched(Operation receive, Operation message, int flags) {
    if (Frame.kind(message.h0) == Frame.RTS_SEND) {
      message.table.device.pulls.start(message, receive);
      return Post.POSTED;
    }
    int source = message.rank;
    int tag = message.tag;
    long length = message.length;
    CommunicationException error = copy(receive, source, tag, message.payload, length);
    engine.release(message.lease);
    message.table.give(message);
    if (error == null && (flags & Outgoing.ALLOW_DONE) != 0) {
      table.give(receive);
      return Post.DONE;
    }
    device.complete(receive, source, tag, error == null ? length : 0, error);
    return Post.POSTED;
  }

  /** Copies a message into its receive's buffer; null if it went well. */
  private static @Nullable CommunicationException copy(
      Operation receive, int source, int tag, long payload, long length) {
    if (length > receive.length) {
      return Errors.truncated(source, tag, length, receive.length);
    }
    if (!Objects.requireNonNull(receive.buffer).scope().isAlive()) {
      return Errors.bufferClosed(source);
    }
    Memory.copyOut(payload, Objects.requireNonNull(receive.target), receive.targetOffset, length);
    return null;
  }

  /** A message has met its receive. */
  void deliver(Operation receive, int source, int tag, long address, int length, long lease) {
    CommunicationException error = copy(receive, source, tag, address, length);
    engine.release(lease);
    device.complete(receive, source, tag, error == null ? length : 0, error);
  }

  /** A receive, and a message or request that was kept, have met. */
  void meet(Operation receive, Operation message) {
    if (Frame.kind(message.h0) == Frame.RTS_SEND) {
      pulls.start(message, receive);
    } else {
      deliver(
          receive, message.rank, message.tag, message.payload, (int) message.length, message.lease);
      table.give(message);
    }
  }

  /** Ends a receive from a peer that is gone, unless it has been matched meanwhile. */
  void failIfFrom(Operation op, int peer) {
    Matcher matcher = op.matcher;
    if (matcher == null || !matcher.remove(op)) {
      return;
    }
    if (op.rank == peer) {
      device.complete(op, peer, op.tag, 0, Errors.gone(peer));
      return;
    }
    // Reused for another peer between the look and the removal: it goes back.
    Operation again = op;
    MatchEntry found;
    while ((found = matcher.insertReceive(again)) == Matcher.BUSY) {
      Thread.onSpinWait();
    }
    if (found != null) {
      meet(again, (Operation) found);
    }
  }
}
