package org.lacis.testkit;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.lacis.AtomicOp;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.Handler;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;
import org.lacis.Status;
import org.lacis.Synchronizer;
import org.lacis.testkit.OperationCase.Form;

/**
 * The same message again and again, from rank 0 to rank 1, one at a time, in code that allocates
 * nothing itself. One thread does it all.
 */
final class Exchange {

  /** What is repeated. */
  enum Kind {
    SEND,
    SEND_LIST,
    SEND_TO_ANY_LENGTH,
    ACTIVE_MESSAGE,
    ACTIVE_LIST,
    PUT,
    PUT_LIST,
    GET,
    GET_LIST,
    ATOMIC;

    boolean isReceived() {
      return this == SEND || this == SEND_LIST || this == SEND_TO_ANY_LENGTH;
    }
  }

  /** Progress calls that one message may take. */
  private static final int PATIENCE = 100_000_000;

  private static final int TAG = 77;

  private final Kind kind;
  private final boolean fluent;
  private final Lacis here;
  private final Lacis there;
  private final MemorySegment message;
  private final MemorySegment buffer;
  private final BufferList messages;
  private final BufferList buffers;
  private final List<RemoteRegion> places;
  private final Region region;
  private final Ear done;
  private final Ear arrived;
  private final RemoteCompletion target;

  Exchange(Job job, Kind kind, Form form, Witness.Kind ending, BufferKind memory, int size) {
    this.kind = kind;
    this.fluent = form == Form.FLUENT;
    this.here = job.rank(0);
    this.there = job.rank(1);
    this.message = memory.allocate(here, size).segment();
    this.buffer = memory.allocate(there, size).segment();
    this.messages = halves(message).withPiggyback(memory.allocate(here, 20).segment());
    this.buffers = halves(buffer);
    this.region = there.allocate(size);
    this.places =
        List.of(
            region.remote().slice(0, size / 2), region.remote().slice(size / 2, size - size / 2));
    this.done = Ear.of(ending, here);
    this.arrived = Ear.of(ending, there);
    this.target = there.register(arrived.completion());
  }

  private static BufferList halves(MemorySegment whole) {
    long half = whole.byteSize() / 2;
    return BufferList.of(whole.asSlice(0, half), whole.asSlice(half));
  }

  void repeat(int times) {
    for (int i = 0; i < times; i++) {
      once();
    }
  }

  void close() {
    arrived.close();
    done.close();
    region.close();
  }

  private void once() {
    if (kind.isReceived()) {
      insist(true);
    }
    boolean signalled = insist(false).isPosted();
    if (kind != Kind.ATOMIC || fluent) {
      await(arrived);
    }
    if (signalled) {
      await(done);
    }
  }

  private Post insist(boolean receive) {
    for (int i = 0; i < PATIENCE; i++) {
      Post answer = receive ? receive() : post();
      if (!answer.isRetry()) {
        return answer;
      }
      progress();
    }
    throw new AssertionError("no room for a message");
  }

  private void await(Ear ear) {
    for (int i = 0; i < PATIENCE; i++) {
      if (ear.heard()) {
        return;
      }
      progress();
    }
    throw new AssertionError("a message or its end does not come");
  }

  private void progress() {
    here.progress();
    there.progress();
  }

  private Post receive() {
    Completion completion = arrived.completion();
    if (kind == Kind.SEND_LIST) {
      return there.recv().from(0).buffers(buffers).tag(TAG).post(completion);
    }
    if (kind == Kind.SEND_TO_ANY_LENGTH) {
      return there.recv().from(0).anyLength().tag(TAG).post(completion);
    }
    return fluent
        ? there.recv().from(0).buffer(buffer).tag(TAG).post(completion)
        : there.recv(0, buffer, TAG, completion);
  }

  private Post post() {
    Completion completion = done.completion();
    return switch (kind) {
      case SEND_LIST -> here.send().to(1).buffers(messages).tag(TAG).post(completion);
      case ACTIVE_LIST ->
          here.am().to(1).buffers(messages).tag(TAG).target(target).post(completion);
      case SEND, SEND_TO_ANY_LENGTH ->
          fluent
              ? here.send().to(1).buffer(message).tag(TAG).post(completion)
              : here.send(1, message, TAG, completion);
      case ACTIVE_MESSAGE ->
          fluent
              ? here.am().to(1).buffer(message).tag(TAG).target(target).post(completion)
              : here.am(1, message, TAG, target, completion);
      case PUT ->
          fluent
              ? here.put()
                  .buffer(message)
                  .remote(region.remote(), 0)
                  .target(target)
                  .post(completion)
              : here.put(message, region.remote(), 0, TAG, target, completion);
      case PUT_LIST ->
          here.put().buffers(buffers).remote(places).target(target).immediate(1).post(completion);
      case GET_LIST -> here.get().buffers(buffers).remote(places).target(target).post(completion);
      case GET ->
          fluent
              ? here.get().buffer(buffer).remote(region.remote(), 0).target(target).post(completion)
              : here.get(buffer, region.remote(), 0, TAG, target, completion);
      case ATOMIC -> atomic(completion);
    };
  }

  /** The positional form signals nobody there: what was fetched takes its place. */
  private Post atomic(Completion completion) {
    return fluent
        ? here.atomic()
            .apply(AtomicOp.ADD, 1)
            .remote(region.remote(), 0)
            .target(target)
            .allowDone(false)
            .post(completion)
        : here.atomic(AtomicOp.ADD, 1, message, region.remote(), 0, completion);
  }

  /** Hears one completion after the other. */
  private abstract static class Ear {

    static Ear of(Witness.Kind kind, Lacis lacis) {
      return switch (kind) {
        case HANDLER -> new OfHandler();
        case QUEUE -> new OfQueue(lacis.newCompletionQueue(16));
        case SYNCHRONIZER -> new OfSynchronizer(lacis.newSynchronizer());
        default -> throw new IllegalArgumentException("not for " + kind);
      };
    }

    abstract Completion completion();

    /** Takes one completion, if there is one. */
    abstract boolean heard();

    void close() {}
  }

  private static final class OfHandler extends Ear implements Handler {
    private int heard;

    @Override
    public void signal(Status status) {
      if (status.error() == null) {
        heard++;
      }
    }

    @Override
    Completion completion() {
      return this;
    }

    @Override
    boolean heard() {
      if (heard == 0) {
        return false;
      }
      heard--;
      return true;
    }
  }

  private static final class OfQueue extends Ear {
    private final CompletionQueue queue;
    private final Status status = Status.create();

    OfQueue(CompletionQueue queue) {
      this.queue = queue;
    }

    @Override
    Completion completion() {
      return queue;
    }

    @Override
    boolean heard() {
      return queue.pop(status) && !status.failed();
    }

    @Override
    void close() {
      status.close();
    }
  }

  private static final class OfSynchronizer extends Ear {
    private final Synchronizer synchronizer;

    OfSynchronizer(Synchronizer synchronizer) {
      this.synchronizer = synchronizer;
    }

    @Override
    Completion completion() {
      return synchronizer;
    }

    @Override
    boolean heard() {
      if (!synchronizer.test()) {
        return false;
      }
      synchronizer.status(0).close();
      return true;
    }
  }
}
