package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.Device;
import org.lacis.Direction;
import org.lacis.Lacis;
import org.lacis.MatchingEngine;
import org.lacis.MatchingPolicy;
import org.lacis.Packet;
import org.lacis.PacketPool;
import org.lacis.Post;
import org.lacis.Posting;
import org.lacis.ReceiveHandle;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;
import org.lacis.Startable;

/**
 * An operation being put together; kept by its runtime for reuse between {@link #start} and {@link
 * #post}.
 */
final class EnginePosting extends PostingCache.Kept implements Posting {

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

  static final int UNSET = -1;

  final Engine engine;
  private final Startable attempt = this::attempt;
  private boolean live;
  Form form = Form.ANY;
  @Nullable EngineDevice device;
  @Nullable Direction direction;
  int rank = UNSET;
  @Nullable MemorySegment buffer;
  long offset;
  long length;
  @Nullable BufferList list;
  boolean anyLength;
  Pool.@Nullable PooledPacket packet;
  int tag;
  @Nullable RemoteRegion remote;
  long remoteOffset;
  @Nullable List<RemoteRegion> places;
  @Nullable RemoteCompletion target;
  MatchingPolicy policy = MatchingPolicy.RANK_TAG;
  @Nullable Matching matching;
  @Nullable HandleRecord handle;
  @Nullable Pool pool;
  @Nullable Object context;
  boolean immediateGiven;
  long immediate;
  boolean synchronous;
  int allowDone = UNSET;
  boolean allowPosted = true;
  boolean allowRetry = true;

  EnginePosting(Engine engine, @Nullable Thread owner) {
    super(owner);
    this.engine = engine;
  }

  static EnginePosting start(EngineDevice device, Form form) {
    EnginePosting p = device.engine.postings.take();
    p.live = true;
    p.form = form;
    p.device = device;
    return p;
  }

  /**
   * Forgets what it was. Not when the next one begins: a message on its way does not wait for this.
   */
  private void clear() {
    live = false;
    direction = null;
    rank = UNSET;
    buffer = null;
    offset = 0;
    length = 0;
    list = null;
    anyLength = false;
    packet = null;
    tag = 0;
    remote = null;
    places = null;
    target = null;
    policy = MatchingPolicy.RANK_TAG;
    matching = null;
    handle = null;
    pool = null;
    context = null;
    immediateGiven = false;
    immediate = 0;
    synchronous = false;
    allowDone = UNSET;
    allowPosted = true;
    allowRetry = true;
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
    engine.defaultDevice().checks.rank(value);
    return this;
  }

  @Override
  public Posting from(int value) {
    if (value == Lacis.ANY_SOURCE) {
      self().rank = value;
      return this;
    }
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
  public Posting buffers(BufferList value) {
    self().list = Objects.requireNonNull(value, "list");
    return this;
  }

  @Override
  public Posting anyLength() {
    self().anyLength = true;
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
    self().tag = value == Lacis.ANY_TAG ? value : DevicePoster.checkTag(value);
    return this;
  }

  @Override
  public Posting remote(RemoteRegion region, long start) {
    self().remote = Objects.requireNonNull(region, "region");
    remoteOffset = start;
    places = null;
    return this;
  }

  @Override
  public Posting remote(List<RemoteRegion> value) {
    List<RemoteRegion> copy;
    try {
      // A list that nobody can change is not copied.
      copy = List.copyOf(Objects.requireNonNull(value, "places"));
    } catch (NullPointerException e) {
      throw value == null
          ? e
          : new NullPointerException("place " + value.indexOf(null) + " of places");
    }
    if (copy.isEmpty()) {
      throw new IllegalArgumentException("places must not be empty: one is needed for each part");
    }
    self().places = copy;
    remote = copy.getFirst();
    remoteOffset = 0;
    return this;
  }

  @Override
  public Posting immediate(long value) {
    self().immediate = value;
    immediateGiven = true;
    return this;
  }

  @Override
  public Posting synchronous(boolean asked) {
    self().synchronous = asked;
    return this;
  }

  @Override
  public Posting allowPosted(boolean allowed) {
    self().allowPosted = allowed;
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
    self().matching = Matching.of(engine, value);
    return this;
  }

  @Override
  public Posting handle(ReceiveHandle value) {
    self().handle = (HandleRecord) Objects.requireNonNull(value, "handle");
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
      engine.refuseWaitInHandler();
      Post answer = attempt(done);
      return answer.isRetry()
          ? BlockingPost.again(engine, attempt, done, describe(answer))
          : answer;
    } finally {
      clear();
      engine.postings.give(this);
    }
  }

  private String describe(Post answer) {
    RemoteRegion r = remote;
    RemoteCompletion t = target;
    return form.call
        + (direction == Direction.IN ? " from rank " : " to rank ")
        + (r == null ? rank : r.rank())
        + ", tag "
        + tag
        + (t == null ? "" : ", target " + t.index())
        + ", at first "
        + answer;
  }

  private Post attempt(Completion done) {
    Objects.requireNonNull(done, DevicePoster.NO_COMPLETION);
    PostingRules.check(this, done);
    return PostingRoute.post(this, done);
  }
}
