package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.AtomicOp;
import org.lacis.AtomicPosting;
import org.lacis.Completion;
import org.lacis.Direction;
import org.lacis.Lacis;
import org.lacis.MatchingEngine;
import org.lacis.MatchingPolicy;
import org.lacis.Post;
import org.lacis.Poster;
import org.lacis.Posting;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;
import org.lacis.match.OrderedKeys;
import org.lacis.net.AtomicWord;

/** The posting calls, for a device and for the runtime on its default device. */
abstract class DevicePoster implements Poster {

  static final String NO_COMPLETION =
      "done is null: use Completion.NONE if nobody wants to hear of it";

  /** The device that calls without one use. */
  abstract EngineDevice device0();

  static int checkTag(int tag) {
    if (tag < 0 || tag > Lacis.MAX_TAG) {
      throw new IllegalArgumentException(
          "tag must be 0 to "
              + Lacis.MAX_TAG
              + ", but is "
              + tag
              + (tag == Lacis.ANY_TAG ? ", ANY_TAG, which is for receives" : ""));
    }
    return tag;
  }

  @Override
  public final Post send(int rank, MemorySegment buffer, int tag, Completion done) {
    EngineDevice d = device0();
    return send(d, rank, buffer, tag, d.engine.matching, 0, done);
  }

  @Override
  public final Post send(
      int rank,
      MemorySegment buffer,
      int tag,
      MatchingEngine engine,
      MatchingPolicy policy,
      Completion done) {
    EngineDevice d = device0();
    return send(d, rank, buffer, tag, matching(d, engine, policy), policy.ordinal(), done);
  }

  private static Post send(
      EngineDevice d,
      int rank,
      MemorySegment buffer,
      int tag,
      Matching matching,
      int policy,
      Completion done) {
    checkTag(tag);
    long length = length(buffer, "buffer");
    if (matching.ordered) {
      Objects.requireNonNull(done, NO_COMPLETION);
      return d.orderedSends.send(rank, buffer, tag, matching, done);
    }
    long h0 = Frame.h0(Frame.EAGER_SEND, policy, matching.index, tag);
    return d.outgoing.send(
        rank, h0, buffer, 0, length, d.engine.pool, done, null, Outgoing.DEFAULT_FLAGS);
  }

  /** What a user has named, if it can be used on a device with that policy. */
  private static Matching matching(EngineDevice d, MatchingEngine engine, MatchingPolicy policy) {
    Matching m = Matching.of(d.engine, engine);
    m.check(Objects.requireNonNull(policy, "policy").ordinal());
    return m;
  }

  @Override
  public final Post recv(int rank, MemorySegment buffer, int tag, Completion done) {
    EngineDevice d = device0();
    return recv(d, rank, buffer, tag, d.engine.matching, 0, done);
  }

  @Override
  public final Post recv(
      int rank,
      MemorySegment buffer,
      int tag,
      MatchingEngine engine,
      MatchingPolicy policy,
      Completion done) {
    EngineDevice d = device0();
    Matching m = matching(d, engine, policy);
    boolean fromAny = policy == MatchingPolicy.TAG_ONLY && rank == Lacis.ANY_SOURCE;
    return recv(d, fromAny ? 0 : rank, buffer, tag, m, policy.ordinal(), done);
  }

  private static Post recv(
      EngineDevice d,
      int rank,
      MemorySegment buffer,
      int tag,
      Matching matching,
      int policy,
      Completion done) {
    int open = rank < 0 || tag < 0 ? matching.open(rank, tag) : 0;
    if ((open & OrderedKeys.ANY_TAG) == 0) {
      checkTag(tag);
    }
    if ((open & OrderedKeys.ANY_SOURCE) == 0) {
      d.checks.rank(rank);
    }
    d.requireOpen();
    long length = length(buffer, "buffer");
    Buffers.checkWritable(buffer, 0, length);
    return d.receives.receive(
        rank,
        tag,
        open == 0 ? policy : open,
        matching,
        buffer,
        0,
        length,
        Objects.requireNonNull(done, NO_COMPLETION),
        null,
        null,
        Outgoing.ALLOW_RETRY);
  }

  @Override
  public final Post am(
      int rank, MemorySegment buffer, int tag, RemoteCompletion target, Completion done) {
    EngineDevice d = device0();
    long h0 = Frame.h0(Frame.EAGER_AM, 0, index(target), checkTag(tag));
    long length = length(buffer, "buffer");
    return d.outgoing.send(
        rank, h0, buffer, 0, length, d.engine.pool, done, null, Outgoing.DEFAULT_FLAGS);
  }

  @Override
  public final Post put(MemorySegment local, RemoteRegion remote, long offset, Completion done) {
    return transfer(false, remote, offset, 0, local, done);
  }

  @Override
  public final Post put(
      MemorySegment local,
      RemoteRegion remote,
      long offset,
      int tag,
      RemoteCompletion target,
      Completion done) {
    return transfer(false, remote, offset, signal(target, tag), local, done);
  }

  @Override
  public final Post get(MemorySegment local, RemoteRegion remote, long offset, Completion done) {
    return transfer(true, remote, offset, 0, local, done);
  }

  @Override
  public final Post get(
      MemorySegment local,
      RemoteRegion remote,
      long offset,
      int tag,
      RemoteCompletion target,
      Completion done) {
    return transfer(true, remote, offset, signal(target, tag), local, done);
  }

  @Override
  public final Post atomic(
      AtomicOp op, long operand, RemoteRegion remote, long offset, Completion done) {
    return atomic(Atomics.operation(op), operand, 0, null, remote, offset, done);
  }

  @Override
  public final Post atomic(
      AtomicOp op,
      long operand,
      MemorySegment fetched,
      RemoteRegion remote,
      long offset,
      Completion done) {
    Objects.requireNonNull(fetched, "fetched");
    return atomic(Atomics.operation(op), operand, 0, fetched, remote, offset, done);
  }

  @Override
  public final Post compareAndSwap(
      long expected,
      long value,
      MemorySegment fetched,
      RemoteRegion remote,
      long offset,
      Completion done) {
    Objects.requireNonNull(fetched, "fetched");
    return atomic(AtomicWord.COMPARE_AND_SWAP, value, expected, fetched, remote, offset, done);
  }

  private Post atomic(
      int operation,
      long operand,
      long expected,
      @Nullable MemorySegment fetched,
      RemoteRegion remote,
      long offset,
      Completion done) {
    return device0()
        .atomics
        .post(
            operation,
            operand,
            expected,
            fetched,
            remote,
            offset,
            0,
            done,
            null,
            Outgoing.DEFAULT_FLAGS);
  }

  @Override
  public final AtomicPosting atomic() {
    return EngineAtomicPosting.start(device0());
  }

  static long signal(RemoteCompletion target, int tag) {
    return Frame.h0(Frame.SIGNAL, 0, index(target), checkTag(tag));
  }

  /** The same of a transfer that may have no target: then there is only the tag, for who posts. */
  static long signalIfAny(@Nullable RemoteCompletion target, int tag) {
    return target == null ? checkTag(tag) : signal(target, tag);
  }

  // Nulls are looked for by name: the JVM stops naming them once the code is hot.

  private static long length(MemorySegment buffer, String name) {
    return Objects.requireNonNull(buffer, name).byteSize();
  }

  private static int index(RemoteCompletion target) {
    return Objects.requireNonNull(target, "target").index();
  }

  private Post transfer(
      boolean input,
      RemoteRegion remote,
      long offset,
      long signal,
      MemorySegment local,
      Completion done) {
    return device0()
        .transfers
        .transfer(
            input,
            remote,
            offset,
            signal,
            local,
            0,
            length(local, "local"),
            done,
            null,
            Outgoing.DEFAULT_FLAGS);
  }

  @Override
  public final Posting post() {
    return EnginePosting.start(device0(), EnginePosting.Form.ANY);
  }

  @Override
  public final Posting send() {
    return EnginePosting.start(device0(), EnginePosting.Form.SEND).direction(Direction.OUT);
  }

  @Override
  public final Posting recv() {
    return EnginePosting.start(device0(), EnginePosting.Form.RECEIVE).direction(Direction.IN);
  }

  @Override
  public final Posting am() {
    return EnginePosting.start(device0(), EnginePosting.Form.ACTIVE).direction(Direction.OUT);
  }

  @Override
  public final Posting put() {
    return EnginePosting.start(device0(), EnginePosting.Form.PUT).direction(Direction.OUT);
  }

  @Override
  public final Posting get() {
    return EnginePosting.start(device0(), EnginePosting.Form.GET).direction(Direction.IN);
  }
}
