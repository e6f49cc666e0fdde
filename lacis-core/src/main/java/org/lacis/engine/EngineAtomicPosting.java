package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.AtomicOp;
import org.lacis.AtomicPosting;
import org.lacis.Completion;
import org.lacis.Device;
import org.lacis.Post;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;
import org.lacis.Startable;
import org.lacis.net.AtomicWord;

/**
 * An atomic operation being put together; kept by its runtime for reuse between {@link #start} and
 * {@link #post}.
 */
final class EngineAtomicPosting extends PostingCache.Kept implements AtomicPosting {

  private final Engine engine;
  private final Startable attempt = this::attempt;
  private boolean live;
  private @Nullable EngineDevice device;
  private int operation;
  private int width;
  private long operand;
  private long expected;
  private @Nullable RemoteRegion remote;
  private long offset;
  private @Nullable MemorySegment fetched;
  private @Nullable RemoteCompletion target;
  private int tag;
  private @Nullable Object context;
  private int flags;

  EngineAtomicPosting(Engine engine, @Nullable Thread owner) {
    super(owner);
    this.engine = engine;
  }

  static EngineAtomicPosting start(EngineDevice device) {
    EngineAtomicPosting p = device.engine.atomicPostings.take();
    p.live = true;
    p.device = device;
    p.operation = 0;
    p.width = 0;
    p.tag = 0;
    p.flags = Outgoing.DEFAULT_FLAGS;
    return p;
  }

  /** Forgets what it refers to. */
  private void end() {
    live = false;
    device = null;
    remote = null;
    fetched = null;
    target = null;
    context = null;
    engine.atomicPostings.give(this);
  }

  private EngineAtomicPosting self() {
    if (!live) {
      throw new IllegalStateException("this operation was posted already: start a new one");
    }
    return this;
  }

  private EngineAtomicPosting first() {
    if (operation != 0) {
      throw new IllegalStateException(
          "this atomic knows what to do already: use apply or compareAndSwap once");
    }
    return this;
  }

  @Override
  public AtomicPosting apply(AtomicOp op, long value) {
    self().first().operation = Atomics.operation(op);
    operand = value;
    return this;
  }

  @Override
  public AtomicPosting compareAndSwap(long expect, long value) {
    self().first().operation = AtomicWord.COMPARE_AND_SWAP;
    expected = expect;
    operand = value;
    return this;
  }

  @Override
  public AtomicPosting bits(int bits) {
    if (bits != Integer.SIZE && bits != Long.SIZE) {
      throw new IllegalArgumentException("bits must be 32 or 64, but is " + bits);
    }
    self().width = bits == Integer.SIZE ? AtomicWord.INT : 0;
    return this;
  }

  @Override
  public AtomicPosting remote(RemoteRegion region, long start) {
    self().remote = Objects.requireNonNull(region, "region");
    offset = start;
    return this;
  }

  @Override
  public AtomicPosting fetched(MemorySegment buffer) {
    self().fetched = Objects.requireNonNull(buffer, "buffer");
    return this;
  }

  @Override
  public AtomicPosting target(RemoteCompletion value) {
    self().target = Objects.requireNonNull(value, "target");
    return this;
  }

  @Override
  public AtomicPosting tag(int value) {
    self().tag = DevicePoster.checkTag(value);
    return this;
  }

  @Override
  public AtomicPosting on(Device value) {
    EngineDevice d = (EngineDevice) Objects.requireNonNull(value, "device");
    if (d.engine != engine) {
      throw new IllegalArgumentException("device belongs to another runtime");
    }
    self().device = d;
    return this;
  }

  @Override
  public AtomicPosting context(@Nullable Object value) {
    self().context = value;
    return this;
  }

  @Override
  public AtomicPosting allowDone(boolean allowed) {
    return flag(Outgoing.ALLOW_DONE, allowed);
  }

  @Override
  public AtomicPosting allowRetry(boolean allowed) {
    return flag(Outgoing.ALLOW_RETRY, allowed);
  }

  private AtomicPosting flag(int flag, boolean set) {
    self().flags = set ? flags | flag : flags & ~flag;
    return this;
  }

  @Override
  public Post post(Completion done) {
    self();
    try {
      return attempt(done);
    } finally {
      end();
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
      end();
    }
  }

  private String describe(Post answer) {
    return "atomic at rank " + Objects.requireNonNull(remote).rank() + ", at first " + answer;
  }

  private Post attempt(Completion done) {
    RemoteRegion r = remote;
    if (operation == 0 || r == null) {
      throw new IllegalArgumentException(
          operation == 0
              ? "atomic needs to know what to do: use apply or compareAndSwap"
              : "atomic needs a remote buffer");
    }
    // Whether a compare-and-swap has written must be told somewhere.
    boolean untold = operation == AtomicWord.COMPARE_AND_SWAP && fetched == null;
    return Objects.requireNonNull(device)
        .atomics
        .post(
            operation | width,
            operand,
            expected,
            fetched,
            r,
            offset,
            DevicePoster.signalIfAny(target, tag),
            done,
            context,
            untold ? flags & ~Outgoing.ALLOW_DONE : flags);
  }
}
