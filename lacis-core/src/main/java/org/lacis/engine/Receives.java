package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.BufferList;
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
  private final Watch watch;

  Receives(EngineDevice device, Engine engine, OperationTable table) {
    this.device = device;
    this.engine = engine;
    this.table = table;
    this.watch = device.watch;
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
      @Nullable HandleRecord handle,
      int flags) {
    // Before anything is taken: a key function of the user's may throw.
    long key = matching.key(policy, rank, tag);
    Operation op = table.take();
    fill(op, buffer, offset, length);
    return post(op, rank, tag, policy, matching, key, done, user, handle, flags);
  }

  /** Receives into a list; or, if that is null, into memory that is lent to the user. */
  Post receive(
      int rank,
      int tag,
      int policy,
      Matching matching,
      @Nullable BufferList list,
      Completion done,
      @Nullable Object user,
      @Nullable HandleRecord handle,
      int flags) {
    long key = matching.key(policy, rank, tag);
    Operation op = table.take();
    fill(op, list);
    return post(op, rank, tag, policy, matching, key, done, user, handle, flags);
  }

  private Post post(
      Operation op,
      int rank,
      int tag,
      int policy,
      Matching matching,
      long key,
      Completion done,
      @Nullable Object user,
      @Nullable HandleRecord handle,
      int flags) {
    op.rank = rank;
    op.tag = tag;
    op.h0 = Frame.h0(Frame.EAGER_SEND, policy, matching.index, tag);
    op.done = done;
    op.context = user;
    op.matcher = matching.matcher;
    op.key(key, 0);
    op.state = Operation.State.RECEIVE;
    // Once it is in, another thread may match, complete and reuse it.
    long length = op.length;
    long use = op.wireId();
    if (handle != null) {
      handle.of(op, use, matching.matcher);
    }
    boolean wait = matching.ordered && (flags & Outgoing.ALLOW_RETRY) == 0;
    MatchEntry found = insert(matching.matcher, op, wait);
    Post answer;
    if (found == null) {
      boolean gone = rank >= 0 && policy != TAG_ONLY && device.isGone(rank);
      answer = gone || device.isClosed() ? refuse(matching.matcher, op, use, rank) : Post.POSTED;
      matching.drainIfClosed();
    } else {
      answer = found == Matcher.BUSY ? busy(op, flags) : matched(op, (Operation) found, flags);
    }
    if (watch.posts()) {
      // What it leaves open, an ordered engine has in the place of a policy.
      int named = matching.ordered ? 0 : policy;
      long h0 = Frame.h0(Frame.EAGER_SEND, named, matching.index, tag);
      watch.posted(Watch.Kind.RECEIVE, rank, h0, length, answer);
    }
    return answer;
  }

  private Post busy(Operation op, int flags) {
    if ((flags & Outgoing.ALLOW_RETRY) != 0 || device.backlog.isFull()) {
      int rank = op.rank;
      table.give(op);
      return watch.retry(
          rank, (flags & Outgoing.ALLOW_RETRY) != 0 ? Post.RETRY_LOCK : Post.RETRY_BACKLOG);
    }
    long use = op.wireId();
    op.state = Operation.State.RECEIVE_LATER;
    device.keep(op);
    device.letGo(op, use);
    return Post.POSTED;
  }

  /** Posts a receive of the backlog; false if it must stay there. */
  boolean resume(Operation op) {
    Matcher matcher = Objects.requireNonNull(op.matcher);
    int index = Frame.index(op.h0);
    long use = op.wireId();
    op.state = Operation.State.RECEIVE;
    MatchEntry found = matcher.insertReceive(op);
    if (found == Matcher.BUSY) {
      op.state = Operation.State.RECEIVE_LATER;
      return false;
    }
    if (found != null) {
      matched(op, (Operation) found, 0);
    } else if (Objects.requireNonNull(engine.matchings.get(index)).closed
        && matcher.remove(op, use)) {
      // Who has closed the engine has not found it there.
      device.dropWaiting(op);
    }
    return true;
  }

  /**
   * Puts a receive into its matcher.
   *
   * @param wait whether to go on until that is done: in the backlog a receive would lose its place
   */
  private static @Nullable MatchEntry insert(Matcher matcher, Operation op, boolean wait) {
    MatchEntry found = matcher.insertReceive(op);
    for (int i = 0; found == Matcher.BUSY && (wait || i < TRIES); i++) {
      if (i < TRIES) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
      found = matcher.insertReceive(op);
    }
    return found;
  }

  /** Receives a message that was taken out of its matcher. */
  void receiveClaimed(
      Operation message, Matching matching, MemorySegment buffer, long length, Completion done) {
    Operation op = table.take();
    fill(op, buffer, 0, length);
    receiveClaimed(op, message, matching, done);
  }

  /** The same, into a list. */
  void receiveClaimed(Operation message, Matching matching, BufferList list, Completion done) {
    Operation op = table.take();
    fill(op, list);
    receiveClaimed(op, message, matching, done);
  }

  private void receiveClaimed(Operation op, Operation message, Matching matching, Completion done) {
    op.rank = message.rank;
    op.tag = message.tag;
    op.h0 = Frame.h0(Frame.EAGER_SEND, 0, matching.index, message.tag);
    op.done = done;
    op.context = null;
    op.matcher = matching.matcher;
    op.state = Operation.State.RECEIVE;
    bringTogether(op, message, true);
  }

  private static void fill(Operation op, MemorySegment buffer, long offset, long length) {
    op.buffer = buffer;
    MemorySegment target = Buffers.shareable(buffer);
    op.target = target;
    op.targetOffset = Buffers.offset(target, buffer, offset);
    op.offset = offset;
    op.length = length;
  }

  private static void fill(Operation op, @Nullable BufferList list) {
    op.list = list;
    op.lends = list == null;
    op.offset = 0;
    op.length = list == null ? Long.MAX_VALUE : list.length();
  }

  /** Takes a receive back that can never be matched, unless it has been. */
  private Post refuse(Matcher matcher, Operation op, long use, int rank) {
    if (!matcher.remove(op, use)) {
      return Post.POSTED;
    }
    table.give(op);
    device.requireOpen();
    throw device.engine.failures.error(rank);
  }

  /** A receive that finds its message waiting. The message belongs to the device it came by. */
  private Post matched(Operation receive, Operation message, int flags) {
    watch.matched(message, false);
    boolean told = bringTogether(receive, message, (flags & Outgoing.ALLOW_DONE) == 0);
    return told ? Post.POSTED : Post.DONE;
  }

  /** A message has met its receive. */
  void deliver(Operation receive, int source, long h0, long address, int length, long lease) {
    watch.matched(source, h0, address, length);
    deliver(receive, source, h0, address, length, lease, true);
  }

  /** The same; whether the completion was told, which need not be if all went well. */
  private boolean deliver(
      Operation receive,
      int source,
      long h0,
      long address,
      int length,
      long lease,
      boolean tellAlways) {
    if (Frame.isList(h0)) {
      long data = address + ListFrame.headBytes(address);
      return deliver(
          receive, source, h0, address, data, ListFrame.total(address), lease, tellAlways);
    }
    return deliver(receive, source, h0, 0, address, length, lease, tellAlways);
  }

  private boolean deliver(
      Operation receive,
      int source,
      long h0,
      long list,
      long data,
      long length,
      long lease,
      boolean tellAlways) {
    int tag = Frame.tag(h0);
    CommunicationException error = Fit.check(receive, source, tag, list, length);
    if (error != null) {
      engine.release(lease);
      device.complete(receive, source, tag, 0, error);
      return true;
    }
    if (!receive.lends) {
      Fit.copy(receive, list, data, length);
      Fit.copyPiggyback(receive, list);
      if (list == 0 || !tellAlways) {
        engine.release(lease);
        lease = 0;
      }
      if (!tellAlways) {
        receive.table.give(receive);
        return false;
      }
    }
    complete(receive, source, tag, length, list, lent(receive, data, length, lease), lease);
    return true;
  }

  /** Where a message is lent from; one without a lease is kept with the operation. */
  private static long lent(Operation receive, long data, long length, long lease) {
    if (!receive.lends) {
      return 0;
    }
    if (lease != 0) {
      return data;
    }
    Memory.copy(data, receive.inlineAddress, length);
    return receive.inlineAddress;
  }

  /**
   * Signals the end of a receive that has its message.
   *
   * @param list the frame of a message that is a list, which the lease keeps; else 0
   * @param lent where the message is, if it is lent; else 0
   */
  void complete(
      Operation receive, int source, int tag, long length, long list, long lent, long lease) {
    watch.completed();
    if (lease == 0 && lent == 0 && receive.done instanceof Count count) {
      // A status that nobody reads takes as long to fill and to clear as the match itself.
      count.signal();
      receive.table.give(receive);
      return;
    }
    StatusRecord status = receive.status;
    status.local(receive, source, tag, length);
    if (lent != 0) {
      status.lend(lent, lease, engine);
    }
    if (list != 0) {
      status.list(list, lease, engine);
    }
    device.tell(receive);
  }

  /** A receive, and a message or request that was kept, have met. */
  void meet(Operation receive, Operation message) {
    watch.matched(message, true);
    bringTogether(receive, message, true);
  }

  /** Answers whether the completion is told, now or later. */
  private boolean bringTogether(Operation receive, Operation message, boolean tellAlways) {
    if (Frame.kind(message.h0) == Frame.RTS_SEND) {
      message.table.device.pulls.start(message, receive);
      return true;
    }
    boolean told =
        deliver(
            receive,
            message.rank,
            message.h0,
            message.payload,
            (int) message.length,
            message.lease,
            tellAlways);
    message.table.give(message);
    return told;
  }

  /** Ends a receive from a peer that is gone, unless it has been matched meanwhile. */
  void failIfFrom(Operation op, long use, int peer) {
    Matcher matcher = op.matcher;
    if (matcher != null && matcher.remove(op, use)) {
      device.complete(op, peer, op.tag, 0, device.engine.failures.error(peer));
    }
  }
}
