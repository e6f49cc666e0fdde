package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.Handler;
import org.lacis.Packet;
import org.lacis.Post;
import org.lacis.Posting;
import org.lacis.RemoteCompletion;
import org.lacis.Status;

/** One operation of a {@link ModelWorker}, from its first post to its end. */
final class ModelTask implements Handler {

  final ModelWorker worker;
  final Parcel parcel;

  /** Whether this is the receive of a send. */
  final boolean receive;

  final Witness.Kind ending;
  final boolean fluent;
  final MemorySegment buffer;

  /** What is used again when it is over; null if nothing is. */
  final @Nullable MemorySegment memory;

  private final @Nullable BufferList list;
  private final boolean anyLength;
  private final @Nullable MemorySegment fenced;
  private final AtomicBoolean ended = new AtomicBoolean();

  private final int device;
  private final boolean allowDone;
  private final boolean allowRetry;
  private final @Nullable RemoteCompletion target;
  private final @Nullable Packet packet;

  /**
   * What it works on.
   *
   * @param buffer of exactly the right size
   * @param fenced the same with a fence on either side, marked; null for a packet
   * @param memory what that is a part of, if it may be used again afterwards
   */
  record Lent(
      MemorySegment buffer, @Nullable MemorySegment fenced, @Nullable MemorySegment memory) {}

  /**
   * In which shape it is given to the post.
   *
   * @param list the buffer cut into parts; null if it is given as a whole
   * @param anyLength whether it is not given at all, and filled from the status
   */
  record Shape(@Nullable BufferList list, boolean anyLength) {
    static final Shape WHOLE = new Shape(null, false);
    static final Shape ANY_LENGTH = new Shape(null, true);
  }

  /** How it is posted, all but what it is. */
  record Way(
      int device,
      Witness.Kind ending,
      boolean fluent,
      boolean allowDone,
      boolean allowRetry,
      @Nullable RemoteCompletion target,
      @Nullable Packet packet) {}

  ModelTask(ModelWorker worker, Parcel parcel, boolean receive, Lent lent, Shape shape, Way way) {
    this.worker = worker;
    this.parcel = parcel;
    this.receive = receive;
    this.buffer = lent.buffer;
    this.list = shape.list;
    this.anyLength = shape.anyLength;
    this.fenced = lent.fenced;
    this.memory = lent.memory;
    this.device = way.device;
    this.ending = way.ending;
    this.fluent = way.fluent;
    this.allowDone = way.allowDone;
    this.allowRetry = way.allowRetry;
    this.target = way.target;
    this.packet = way.packet;
  }

  /** Posts it once, and checks that the answer is one it may have. */
  Post attempt(Completion done) {
    Post answer = post(done);
    if (answer.isDone()) {
      assertThat(!receive && (allowDone || !fluent)).as("%s may be DONE", this).isTrue();
    } else if (answer.isRetry() && fluent && !allowRetry) {
      assertThat(answer).as("%s", this).isEqualTo(Post.RETRY_BACKLOG);
    }
    return answer;
  }

  private Post post(Completion done) {
    if (fluent) {
      return withOptions(start()).post(done);
    }
    var on = worker.device(device);
    var remote = worker.model.regions.get(parcel.peer()).remote();
    int tag = parcel.number();
    long offset = parcel.place();
    return switch (parcel.kind()) {
      case SEND ->
          receive
              ? on.recv(parcel.source(), buffer, tag, done)
              : on.send(parcel.peer(), buffer, tag, done);
      case ACTIVE -> on.am(parcel.peer(), buffer, tag, target(), done);
      case PUT -> on.put(buffer, remote, offset, done);
      case PUT_SIGNAL -> on.put(buffer, remote, offset, tag, target(), done);
      case GET -> on.get(buffer, remote, offset, done);
      case GET_SIGNAL -> on.get(buffer, remote, offset, tag, target(), done);
    };
  }

  private RemoteCompletion target() {
    return Objects.requireNonNull(target, "target");
  }

  private Posting start() {
    var lacis = worker.lacis;
    var remote = worker.model.regions.get(parcel.peer()).remote();
    return switch (parcel.kind()) {
      case SEND ->
          (receive ? lacis.recv().from(parcel.source()) : lacis.send().to(parcel.peer()))
              .matching(worker.model.engines.get(parcel.via()).get(lacis.rank()))
              .matching(parcel.policy());
      case ACTIVE -> lacis.am().to(parcel.peer());
      case PUT, PUT_SIGNAL -> lacis.put().remote(remote, parcel.place());
      case GET, GET_SIGNAL -> lacis.get().remote(remote, parcel.place());
    };
  }

  private Posting withOptions(Posting posting) {
    if (target != null) {
      posting.target(target);
    }
    if (packet != null) {
      posting.packet(packet, parcel.size());
    } else if (list != null) {
      posting.buffers(list);
    } else if (anyLength) {
      posting.anyLength();
    } else {
      posting.buffer(buffer);
    }
    if (!receive) {
      posting.allowDone(allowDone);
    }
    return posting
        .tag(parcel.number())
        .on(worker.device(device))
        .allowRetry(allowRetry)
        .context(this);
  }

  @Override
  public void signal(Status status) {
    worker.model.guard(() -> worker.ended(this, status));
  }

  /**
   * Checks what was heard at its end, which comes once.
   *
   * @param status null if the answer was DONE, or if the completion object only counts
   */
  void check(@Nullable Status status) {
    assertThat(ended.compareAndSet(false, true)).as("%s is complete once", this).isTrue();
    if (status != null) {
      assertThat(status.error()).as("%s", this).isNull();
      assertThat(status.context()).as("context of %s", this).isSameAs(fluent ? this : null);
    }
    if (receive) {
      checkReceived(status);
    } else {
      if (status != null) {
        assertThat(status.rank()).as("peer of %s", this).isEqualTo(parcel.peer());
        assertThat(status.length()).as("length of %s", this).isEqualTo(parcel.size());
        if (parcel.kind() == Parcel.Kind.SEND || parcel.kind().signals()) {
          assertThat(status.tag()).as("tag of %s", this).isEqualTo(parcel.number());
        }
      }
      if (parcel.kind() == Parcel.Kind.GET || parcel.kind() == Parcel.Kind.GET_SIGNAL) {
        Pattern.check(toString(), buffer, 0, parcel.size(), parcel.number());
      }
      checkBeside(parcel.size());
    }
  }

  /** Checks that nobody wrote before the buffer, or behind so many bytes of it. */
  private void checkBeside(long length) {
    if (fenced != null) {
      long end = Model.FENCE + length;
      Pattern.checkMarked(toString(), fenced, 0, Model.FENCE);
      Pattern.checkMarked(toString(), fenced, end, fenced.byteSize() - end);
    }
  }

  private void checkReceived(@Nullable Status status) {
    Parcel got = status == null ? parcel : worker.model.find(status.tag(), "receive of " + parcel);
    assertThat(parcel.mayBeReplacedBy(got)).as("%s got %s", this, got).isTrue();
    if (status != null) {
      assertThat(status.rank()).as("sender of %s", got).isEqualTo(got.source());
      assertThat(status.length()).as("length of %s", got).isEqualTo(got.size());
    }
    if (anyLength) {
      Objects.requireNonNull(status).copyTo(buffer, 0);
    }
    Pattern.check("received " + got, buffer, 0, got.size(), got.number());
    checkBeside(got.size());
    worker.model.arrived(got);
  }

  /** Whether the data is where it should be, for operations nobody is told about. */
  boolean isSeen() {
    return switch (parcel.kind()) {
      case SEND, ACTIVE -> receive ? isHere() : !worker.model.isUnderWay(parcel);
      case GET, GET_SIGNAL -> isHere();
      case PUT, PUT_SIGNAL -> isPut();
    };
  }

  private boolean isHere() {
    return Pattern.mismatch(buffer, 0, parcel.size(), parcel.number()) < 0;
  }

  /** Whether the data of a put is in the peer's memory. */
  boolean isPut() {
    MemorySegment there = worker.model.regions.get(parcel.peer()).segment();
    return Pattern.mismatch(there, parcel.place(), parcel.size(), parcel.number()) < 0;
  }

  /** Checks that a put wrote nothing beside its place. */
  void checkBesidePut() {
    MemorySegment there = worker.model.regions.get(parcel.peer()).segment();
    long place = parcel.place();
    Pattern.checkMarked(toString(), there, place - Model.FENCE, Model.FENCE);
    Pattern.checkMarked(toString(), there, place + parcel.size(), Model.FENCE);
  }

  @Override
  public String toString() {
    return (receive ? "receive of " : "") + parcel + " with " + ending;
  }
}
