package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.Direction;
import org.lacis.Lacis;
import org.lacis.MatchingPolicy;
import org.lacis.Post;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;

/** Brings an {@link EnginePosting} whose parts go together to whom carries it out. */
final class PostingRoute {

  private PostingRoute() {}

  static Post post(EnginePosting p, Completion done) {
    EngineDevice d = Objects.requireNonNull(p.device);
    RemoteRegion region = p.remote;
    if (region != null) {
      return transfer(p, d, region, done);
    }
    d.requireOpen();
    Matching m = p.matching == null ? p.engine.matching : p.matching;
    m.check(p.policy.ordinal());
    if (p.direction == Direction.IN) {
      return receive(p, d, m, done);
    }
    RemoteCompletion t = p.target;
    int flags = flags(p, true);
    if (t != null) {
      return send(p, d, Frame.h0(Frame.EAGER_AM, 0, t.index(), p.tag), flags, done);
    }
    long h0 = Frame.h0(Frame.EAGER_SEND, p.policy.ordinal(), m.index, p.tag) | m.style;
    return m.ordered ? d.orderedSends.send(p, h0, m, flags, done) : send(p, d, h0, flags, done);
  }

  static Post send(EnginePosting p, EngineDevice d, long h0, int flags, Completion done) {
    if (p.packet != null) {
      return d.packetSends.send(
          p.rank, h0, p.packet, (int) p.length, done, p.context, p.immediate, flags);
    }
    Pool pool = p.pool == null ? p.engine.pool : p.pool;
    MemorySegment buffer = p.buffer == null ? MemorySegment.NULL : p.buffer;
    BufferList list = p.list;
    if (list != null) {
      return d.listSends.send(
          p.rank, h0, list, pool, done, p.context, p.immediate, p.synchronous, flags);
    }
    if (p.immediateGiven || p.synchronous) {
      return d.outgoing.send(
          p.rank,
          h0,
          buffer,
          p.offset,
          p.length,
          pool,
          done,
          p.context,
          p.immediate,
          p.synchronous,
          flags);
    }
    return d.outgoing.send(p.rank, h0, buffer, p.offset, p.length, pool, done, p.context, flags);
  }

  private static Post receive(EnginePosting p, EngineDevice d, Matching m, Completion done) {
    // Without a rank, or with ANY_SOURCE, which says the same.
    boolean fromAny = p.policy == MatchingPolicy.TAG_ONLY && p.rank < 0;
    int from = fromAny ? 0 : p.rank;
    int policy = from < 0 || p.tag < 0 ? open(p, m, from) : p.policy.ordinal();
    int flags = flags(p, false);
    BufferList list = p.list;
    if (list != null || p.anyLength) {
      if (list != null) {
        Buffers.checkList(list, true);
      }
      return d.receives.receive(from, p.tag, policy, m, list, done, p.context, p.handle, flags);
    }
    var buffer = given(p.buffer);
    Buffers.checkWritable(buffer, p.offset, p.length);
    return d.receives.receive(
        from, p.tag, policy, m, buffer, p.offset, p.length, done, p.context, p.handle, flags);
  }

  /** The policy of a receive without a rank, or what it leaves open. */
  private static int open(EnginePosting p, Matching m, int from) {
    boolean asked = from == Lacis.ANY_SOURCE || p.tag == Lacis.ANY_TAG;
    return asked ? m.open(from, p.tag) : p.policy.ordinal();
  }

  private static Post transfer(
      EnginePosting p, EngineDevice d, RemoteRegion region, Completion done) {
    long signal = DevicePoster.signalIfAny(p.target, p.tag);
    BufferList list = p.list;
    if (list != null || p.immediateGiven) {
      return d.listTransfers.transfer(
          p.direction == Direction.IN,
          region,
          p.remoteOffset,
          p.places,
          signal,
          p.immediate,
          list,
          p.buffer,
          list == null ? p.offset : 0,
          list == null ? p.length : list.length(),
          done,
          p.context,
          flags(p, true));
    }
    return d.transfers.transfer(
        p.direction == Direction.IN,
        region,
        p.remoteOffset,
        signal,
        given(p.buffer),
        p.offset,
        p.length,
        done,
        p.context,
        flags(p, true));
  }

  private static int flags(EnginePosting p, boolean doneByDefault) {
    boolean done = p.allowDone == EnginePosting.UNSET ? doneByDefault : p.allowDone == 1;
    return (done ? Outgoing.ALLOW_DONE : 0) | (p.allowRetry ? Outgoing.ALLOW_RETRY : 0);
  }

  /** Given, as the rules have seen. */
  private static <T> T given(@Nullable T part) {
    return Objects.requireNonNull(part);
  }
}
