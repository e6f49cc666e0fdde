package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.Completion;
import org.lacis.Device;
import org.lacis.Direction;
import org.lacis.Idle;
import org.lacis.MatchingEngine;
import org.lacis.MatchingPolicy;
import org.lacis.Packet;
import org.lacis.PacketPool;
import org.lacis.Post;
import org.lacis.Posting;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;

/**
 * An operation being put together; kept by its runtime for reuse between {@link #start} and {@link
 * #post}.
 */
final class EnginePosting implements Posting {

  /** What the caller said it would be. */
  enum Form {
    ANY("post"),
    SEND("send"),
    RECEIVE("recv"),
    ACTIVE("am"),
    PUT("put"),
    GET("get");

    final String call;

    Form(String call) {
      this.call = call;
    }
  }

  private static final int UNSET = -1;

  private final Engine engine;
  private boolean live;
  private Form form = Form.ANY;
  private @Nullable EngineDevice device;
  private @Nullable Direction direction;
  private int rank;
  private @Nullable MemorySegment buffer;
  private long offset;
  private long length;
  private Pool.@Nullable PooledPacket packet;
  private int tag;
  private @Nullable RemoteRegion remote;
  private long remoteOffset;
  private @Nullable RemoteCompletion target;
  private MatchingPolicy policy = MatchingPolicy.RANK_TAG;
  private @Nullable Matching matching;
  private @Nullable Pool pool;
  private @Nullable Object context;
  private int allowDone;
  private boolean allowRetry;

  EnginePosting(Engine engine) {
    this.engine = engine;
  }

  static EnginePosting start(EngineDevice device, Form form) {
    EnginePosting p = device.engine.postings.take();
    p.live = true;
    p.form = form;
    p.device = device;
    p.direction = null;
    p.rank = UNSET;
    p.tag = 0;
    p.policy = MatchingPolicy.RANK_TAG;
    p.allowDone = UNSET;
    p.allowRetry = true;
    return p;
  }

  /** Forgets what it refers to. */
  private void clear() {
    live = false;
    buffer = null;
    packet = null;
    remote = null;
    target = null;
    matching = null;
    pool = null;
    context = null;
    device = null;
  }

  private EnginePosting self() {
    if (!live) {
      throw new IllegalStateException("this operation was posted already: start a new one");
    }
    return this;
  }

  @Override
  public Posting direction(Direction value) {
    self().direction = Objects.requireNonNull(value, "direction");
    return this;
  }

  @Override
  public Posting to(int value) {
    self().rank = value;
    engine.defaultDevice().outgoing.checkRank(value);
    return this;
  }

  @Override
  public Posting from(int value) {
    return to(value);
  }

  @Override
  public Posting buffer(MemorySegment value) {
    return buffer(Objects.requireNonNull(value, "buffer"), 0, value.byteSize());
  }

  @Override
  public Posting buffer(MemorySegment value, long start, long bytes) {
    self().buffer = Objects.requireNonNull(value, "buffer");
    offset = start;
    length = bytes;
    return this;
  }

  @Override
  public Posting packet(Packet value, int bytes) {
    self().packet = (Pool.PooledPacket) Objects.requireNonNull(value, "packet");
    length = bytes;
    return this;
  }

  @Override
  public Posting tag(int value) {
    self().tag = DevicePoster.checkTag(value);
    return this;
  }

  @Override
  public Posting remote(RemoteRegion region, long start) {
    self().remote = Objects.requireNonNull(region, "region");
    remoteOffset = start;
    return this;
  }

  @Override
  public Posting target(RemoteCompletion value) {
    self().target = Objects.requireNonNull(value, "target");
    return this;
  }

  @Override
  public Posting on(Device value) {
    EngineDevice d = (EngineDevice) Objects.requireNonNull(value, "device");
    if (d.engine != engine) {
      throw new IllegalArgumentException("device belongs to another runtime");
    }
    self().device = d;
    return this;
  }

  @Override
  public Posting matching(MatchingPolicy value) {
    self().policy = Objects.requireNonNull(value, "policy");
    return this;
  }

  @Override
  public Posting matching(MatchingEngine value) {
    Matching m = (Matching) Objects.requireNonNull(value, "matching engine");
    if (m.engine != engine) {
      throw new IllegalArgumentException("matching engine belongs to another runtime");
    }
    self().matching = m;
    return this;
  }

  @Override
  public Posting pool(PacketPool value) {
    Pool p = (Pool) Objects.requireNonNull(value, "pool");
    p.requireOpen();
    if (!engine.pools.has(p)) {
      throw new IllegalArgumentException("packet pool belongs to another runtime");
    }
    self().pool = p;
    return this;
  }

  @Override
  public Posting context(@Nullable Object value) {
    self().context = value;
    return this;
  }

  @Override
  public Posting allowDone(boolean allowed) {
    self().allowDone = allowed ? 1 : 0;
    return this;
  }

  @Override
  public Posting allowRetry(boolean allowed) {
    self().allowRetry = allowed;
    return this;
  }

  @Override
  public Post post(Completion done) {
    self();
    try {
      return attempt(done);
    } finally {
      clear();
      engine.postings.give(this);
    }
  }

  @Override
  public Post postBlocking(Completion done) {
    self();
    try {
      Post answer = attempt(done);
      return answer.isRetry() ? attemptAgain(done) : answer;
    } finally {
      clear();
      engine.postings.give(this);
    }
  }

  private Post attempt(Completion done) {
    Objects.requireNonNull(done, "done");
    checkForm();
    return direction == Direction.OUT ? out(done) : in(done);
  }

  private Post attemptAgain(Completion done) {
    engine.refuseWaitInHandler();
    Idle idle = engine.newIdle();
    Post answer;
    do {
      idle.after(engine.progress());
      engine.waiting().check();
      answer = attempt(done);
    } while (answer.isRetry());
    return answer;
  }

  private int flags(boolean doneByDefault) {
    boolean done = allowDone == UNSET ? doneByDefault : allowDone == 1;
    return (done ? Outgoing.ALLOW_DONE : 0) | (allowRetry ? Outgoing.ALLOW_RETRY : 0);
  }

  private Post out(Completion done) {
    EngineDevice d = Objects.requireNonNull(device);
    RemoteCompletion t = target;
    RemoteRegion r = remote;
    if (r != null) {
      return transfer(d, false, r, done);
    }
    d.requireOpen();
    Matching m = matching == null ? engine.matching : matching;
    m.check(policy.ordinal());
    long h0 =
        t != null
            ? Frame.h0(Frame.EAGER_AM, 0, t.index(), tag)
            : Frame.h0(Frame.EAGER_SEND, policy.ordinal(), m.index, tag);
    if (packet != null) {
      return d.outgoing.sendPacket(rank, h0, packet, (int) length, done, context, flags(true));
    }
    return d.outgoing.send(
        rank,
        h0,
        local(),
        offset,
        length,
        pool == null ? engine.pool : pool,
        done,
        context,
        flags(true));
  }

  private Post in(Completion done) {
    EngineDevice d = Objects.requireNonNull(device);
    RemoteRegion r = remote;
    if (r != null) {
      return transfer(d, true, r, done);
    }
    d.requireOpen();
    Matching m = matching == null ? engine.matching : matching;
    m.check(policy.ordinal());
    MemorySegment b = local();
    Buffers.checkWritable(b, offset, length);
    int from = policy == MatchingPolicy.TAG_ONLY && rank == UNSET ? 0 : rank;
    return d.receives.receive(
        from, tag, policy.ordinal(), m, b, offset, length, done, context, flags(false));
  }

  private Post transfer(EngineDevice d, boolean input, RemoteRegion region, Completion done) {
    long signal = target == null ? 0 : DevicePoster.signal(target, tag);
    return d.transfers.transfer(
        input, region, remoteOffset, signal, local(), offset, length, done, context, flags(true));
  }

  private MemorySegment local() {
    MemorySegment b = buffer;
    if (b == null) {
      throw new IllegalArgumentException(form.call + " needs a buffer");
    }
    return b;
  }

  /** Refuses what makes no sense, and says why. */
  private void checkForm() {
    require(direction != null, "post needs a direction");
    boolean in = direction == Direction.IN;
    require(!(in && remote == null && target != null), "a receive cannot have a remote completion");
    switch (form) {
      case SEND ->
          require(
              !in && remote == null && target == null,
              "a send has neither remote buffer nor target");
      case RECEIVE -> require(in && remote == null, "a receive has no remote buffer");
      case ACTIVE ->
          require(
              !in && remote == null && target != null,
              "an active message needs a target and no remote buffer");
      case PUT -> require(!in && remote != null, "a put needs a remote buffer");
      case GET -> require(in && remote != null, "a get needs a remote buffer");
      case ANY -> {}
    }
    RemoteRegion r = remote;
    if (r != null) {
      require(
          rank == UNSET || rank == r.rank(),
          "the remote region belongs to another rank than the one given");
      require(packet == null, "a put or get takes a buffer, not a packet");
    } else {
      require(
          rank != UNSET || (in && policy == MatchingPolicy.TAG_ONLY),
          "a rank is needed: use to(rank) or from(rank)");
    }
    require(packet == null || buffer == null, "give a buffer or a packet, not both");
    require(packet == null || !in, "a receive takes a buffer, not a packet");
    boolean matched = r == null && target == null;
    require(
        matched || (matching == null && policy == MatchingPolicy.RANK_TAG),
        "matching is for sends and receives");
  }

  private void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalArgumentException(form.call + ": " + otherwise);
    }
  }
}
