package org.lacis.testkit;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.lacis.AtomicOp;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.Handler;
import org.lacis.Lacis;
import org.lacis.PacketPool;
import org.lacis.Post;
import org.lacis.Posting;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;
import org.lacis.Status;
import org.lacis.testkit.Witness.OfHandler;

/** The status: what it says, and who holds its payload. */
interface RuntimeStatuses extends RuntimeSuite {

  private static void am(Job job, RemoteCompletion target, int tag, int size, long number) {
    MemorySegment message = Talk.filled(size, number);
    Witness sent = Witness.handler();
    Post answer =
        job.insist(
            "an active message", () -> job.rank(0).am(1, message, tag, target, sent.completion()));
    job.await("an active message", sent, answer);
  }

  @Test
  default void aStatusReadsItsPayload() {
    try (Job job = open(2)) {
      CompletionQueue queue = job.rank(1).newCompletionQueue();
      RemoteCompletion target = job.rank(1).register(queue);
      Status status = Status.create();
      for (int size : List.of(16, 1000, 20_000)) {
        MemorySegment message = Talk.filled(size, size);
        am(job, target, size, size, size);
        job.until("an active message", () -> queue.pop(status));
        assertThat(status.failed()).isFalse();
        assertThat(status.length()).isEqualTo(size);
        assertThat(status.payload().byteSize()).isEqualTo(size);
        assertThat(status.payload().mismatch(message)).isEqualTo(-1);
        assertThat(status.buffer().byteSize()).isGreaterThanOrEqualTo(size);
        assertThat(status.longAt(8)).isEqualTo(message.get(JAVA_LONG_UNALIGNED, 8));
        assertThat(status.intAt(size - 4)).isEqualTo(message.get(JAVA_INT_UNALIGNED, size - 4));
        MemorySegment copy = Talk.memory(size + 3);
        status.copyTo(copy, 3);
        Pattern.check("a copy", copy, 3, size, size);
      }
      status.close();
    }
  }

  @Test
  default void aStatusDoesNotReadBeyondItsPayload() {
    try (Job job = open(2)) {
      CompletionQueue queue = job.rank(1).newCompletionQueue();
      RemoteCompletion target = job.rank(1).register(queue);
      Status status = Status.create();
      for (int size : List.of(12, 1000, 20_000)) {
        am(job, target, 0, size, 1);
        job.until("an active message", () -> queue.pop(status));
        Class<IndexOutOfBoundsException> refused = IndexOutOfBoundsException.class;
        assertThatThrownBy(() -> status.longAt(size - 7)).isInstanceOf(refused);
        assertThatThrownBy(() -> status.longAt(-1)).isInstanceOf(refused);
        assertThatThrownBy(() -> status.intAt(size - 3)).isInstanceOf(refused);
        assertThatThrownBy(() -> status.intAt(Long.MAX_VALUE)).isInstanceOf(refused);
        assertThatThrownBy(() -> status.copyTo(Talk.memory(size - 1), 0)).isInstanceOf(refused);
        assertThatThrownBy(() -> status.copyTo(Talk.memory(size), 1)).isInstanceOf(refused);
      }
      status.close();
    }
  }

  @Test
  default void aPayloadInAQueueKeepsItsPacketUntilItsStatusIsUsedAgainOrClosed() {
    try (Job job = open(2)) {
      PacketPool pool = job.rank(0).packetPool();
      int all = pool.available();
      CompletionQueue queue = job.rank(1).newCompletionQueue();
      RemoteCompletion target = job.rank(1).register(queue);
      int size = job.rank(0).eagerLimit();
      am(job, target, 1, size, 1);
      am(job, target, 2, size, 2);
      job.until("both messages", () -> queue.length() == 2);
      if (packetsStayOut()) {
        assertThat(pool.available()).isEqualTo(all - 2);
      }
      Status status = Status.create();
      queue.pop(status);
      Pattern.check("the first payload", status.payload(), status.tag());
      queue.pop(status);
      Pattern.check("the second payload", status.payload(), status.tag());
      if (packetsStayOut()) {
        job.until("the first packet to come back", () -> pool.available() == all - 1);
      }
      status.close();
      job.until("the second packet to come back", () -> pool.available() == all);
    }
  }

  @Test
  default void anUnsuccessfulPopGivesThePayloadUpToo() {
    try (Job job = open(2)) {
      PacketPool pool = job.rank(0).packetPool();
      int all = pool.available();
      CompletionQueue queue = job.rank(1).newCompletionQueue();
      RemoteCompletion target = job.rank(1).register(queue);
      am(job, target, 1, job.rank(0).eagerLimit(), 1);
      Status status = Status.create();
      job.until("the message", () -> queue.pop(status));
      if (packetsStayOut()) {
        assertThat(pool.available()).isEqualTo(all - 1);
      }
      assertThat(queue.pop(status)).isFalse();
      job.until("the packet to come back", () -> pool.available() == all);
    }
  }

  @Test
  default void aHandlerKeepsAPayloadByMovingItsStatus() {
    try (Job job = open(2)) {
      PacketPool pool = job.rank(0).packetPool();
      int all = pool.available();
      for (int size : Talk.sizes(job.rank(0))) {
        Status kept = Status.create();
        boolean[] empty = new boolean[1];
        Handler handler =
            status -> {
              status.moveTo(kept);
              empty[0] = status.length() == 0 && status.context() == null;
            };
        am(job, job.rank(1).register(handler), 77, size, size);
        job.until("the handler", () -> kept.length() == size);
        job.progressOn();
        // Other messages come by and must not disturb it.
        Talk.check(job, 0, 1);
        assertThat(empty[0]).as("the status is empty afterwards").isTrue();
        assertThat(kept.rank()).isZero();
        assertThat(kept.tag()).isEqualTo(77);
        Pattern.check("a payload that was kept", kept.payload(), size);
        Status next = Status.create();
        kept.moveTo(next);
        Pattern.check("a payload that was moved on", next.payload(), size);
        assertThatThrownBy(kept::buffer).isInstanceOf(IllegalStateException.class);
        next.close();
        job.until("the packet to come back", () -> pool.available() == all);
      }
    }
  }

  @Test
  default void aHandlerThatKeepsNothingHoldsNothing() {
    try (Job job = open(2)) {
      RemoteCompletion target = job.rank(1).register((Handler) status -> {});
      for (int i = 0; i < 1000; i++) {
        am(job, target, 0, job.rank(0).eagerLimit(), i);
      }
    }
  }

  @Test
  default void longPayloadsAreGivenBackToo() {
    try (Job job = open(2)) {
      CompletionQueue queue = job.rank(1).newCompletionQueue();
      RemoteCompletion target = job.rank(1).register(queue);
      Status status = Status.create();
      for (int i = 0; i < 200; i++) {
        // Altogether many times the memory there is.
        am(job, target, i, 2 << 20, i);
        job.until("a long active message", () -> queue.pop(status));
        Pattern.check("a long active message", status.payload(), status.tag());
      }
      status.close();
    }
  }

  @Test
  default void aClosedStatusHasNoPayloadAndCanBeUsedAgain() {
    try (Job job = open(2)) {
      CompletionQueue queue = job.rank(1).newCompletionQueue();
      RemoteCompletion target = job.rank(1).register(queue);
      Status status = Status.create();
      for (int i = 0; i < 3; i++) {
        int number = i;
        am(job, target, i, 100 * i + 8, i);
        job.until("message " + number, () -> queue.pop(status));
        Pattern.check("message " + i, status.payload(), i);
        status.close();
        status.close();
        assertThatThrownBy(status::buffer)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("payload");
        assertThatThrownBy(() -> status.longAt(0)).isInstanceOf(RuntimeException.class);
      }
    }
  }

  @Test
  default void theBufferOfAPartIsThePart() {
    try (Job job = open(2)) {
      Lacis sender = job.rank(0);
      for (int size : Talk.sizes(sender)) {
        MemorySegment whole = Talk.memory(size + 100);
        Pattern.fill(whole, 40, size, size);
        MemorySegment into = Talk.memory(size + 200);
        Witness received = Witness.handler();
        job.insist(
            "a receive",
            () -> job.rank(1).recv().from(0).buffer(into, 60, size).post(received.completion()));
        Witness sent = Witness.handler();
        job.insist(
            "a send",
            () -> {
              var posting = sender.send().to(1).buffer(whole, 40, size).allowDone(false);
              return posting.post(sent.completion());
            });
        job.until("both ends", () -> received.heard() && sent.heard());
        Pattern.check("the part", into, 60, size, size);
        assertThat(received.told().buffer()).isEqualTo(into.asSlice(60));
        assertThat(sent.told().buffer()).isEqualTo(whole.asSlice(40));
        Pattern.check("payload of the receive", received.told().payload(), size);
      }
    }
  }

  @Test
  default void aReceiveSaysHowLongTheMessageWas() {
    try (Job job = open(2)) {
      for (int size : Talk.sizes(job.rank(0))) {
        MemorySegment into = Talk.memory(size + 1000);
        Witness received = Witness.handler();
        job.insist("a receive", () -> job.rank(1).recv(0, into, 6, received.completion()));
        Witness sent = Talk.send(job, 0, 1, 6, size, 3);
        job.until("the message", received::heard);
        assertThat(received.told().length()).isEqualTo(size);
        assertThat(received.told().payload().byteSize()).isEqualTo(size);
        job.until("the send", sent::heard);
      }
    }
  }

  @Test
  default void aTransferWithoutTargetHasTheTagItWasPostedWith() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(200_000)) {
      RemoteRegion remote = region.remote();
      for (int size : new int[] {8, 100_000}) {
        MemorySegment local = Talk.memory(size);
        BufferList list = BufferList.of(local, Talk.memory(8));
        List<Supplier<Posting>> transfers =
            List.of(
                () -> job.rank(0).put().buffer(local).remote(remote, 0),
                () -> job.rank(0).put().buffers(list).remote(remote, 0),
                () -> job.rank(0).get().buffer(local).remote(remote, 0),
                () -> job.rank(0).get().buffers(list).remote(remote, 0));
        for (Supplier<Posting> transfer : transfers) {
          checkTag(
              job, done -> transfer.get().tag(91).allowDone(false).allowRetry(false).post(done));
        }
      }
      checkTag(
          job,
          done ->
              job.rank(0)
                  .atomic()
                  .apply(AtomicOp.ADD, 1)
                  .remote(remote, 0)
                  .tag(91)
                  .allowDone(false)
                  .allowRetry(false)
                  .post(done));
      job.progressOn();
    }
  }

  private static void checkTag(Job job, Function<Completion, Post> transfer) {
    OfHandler told = Witness.handler();
    assertThat(transfer.apply(told.completion())).isEqualTo(Post.POSTED);
    job.until("a transfer", told::heard);
    assertThat(told.told().error()).isNull();
    assertThat(told.told().tag()).isEqualTo(91);
  }
}
