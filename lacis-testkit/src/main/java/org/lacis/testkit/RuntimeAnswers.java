package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.Counter;
import org.lacis.Lacis;
import org.lacis.LacisException;
import org.lacis.Packet;
import org.lacis.PoolOptions;
import org.lacis.Post;
import org.lacis.Posting;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.testkit.Witness.OfHandler;

/** What posts answer, and what the two options about it change. */
interface RuntimeAnswers extends RuntimeSuite {

  @Test
  default void aSendWithinTheInjectLimitIsDoneAtOnce() {
    try (Job job = open(2)) {
      Lacis sender = job.rank(0);
      for (int size : List.of(0, 1, sender.injectLimit())) {
        MemorySegment message = Talk.filled(size, size);
        Post answer = job.insist("a send", () -> sender.send(1, message, 5, Completion.NONE));
        assertThat(answer).as("answer to a send of %d bytes", size).isEqualTo(Post.DONE);
        Talk.receive(job, 1, 0, 5, size, size);
      }
    }
  }

  @Test
  default void anOperationThatMayNotBeDoneAlwaysSignals() {
    try (Job job = open(2)) {
      RemoteCompletion target = job.rank(1).register(Completion.NONE);
      for (int size : OperationCase.sizes(job.rank(0))) {
        MemorySegment local = Talk.filled(size, size);
        try (Region region = job.rank(1).allocate(Math.max(1, size))) {
          for (Function<Lacis, Posting> start : everyOperation(local, region, target)) {
            OfHandler done = Witness.handler();
            Post answer =
                job.insist(
                    "an operation",
                    () ->
                        start
                            .apply(job.rank(0))
                            .allowDone(false)
                            .context("mine")
                            .post(done.completion()));
            assertThat(answer).as("answer for %d bytes", size).isEqualTo(Post.POSTED);
            job.until("the signal of an operation of " + size + " bytes", done::heard);
            assertThat(done.all()).hasSize(1);
            assertThat(done.told().length()).isEqualTo(size);
            assertThat(done.told().context()).isEqualTo("mine");
          }
        }
      }
    }
  }

  /**
   * All operations but receives, which always signal; sends are to rank 1 itself, so that each
   * finds its receive.
   */
  private static List<Function<Lacis, Posting>> everyOperation(
      MemorySegment local, Region region, RemoteCompletion target) {
    return List.of(
        lacis -> lacis.am().to(1).buffer(local).target(target),
        lacis -> lacis.put().buffer(local).remote(region.remote(), 0),
        lacis -> lacis.put().buffer(local).remote(region.remote(), 0).target(target),
        lacis -> lacis.get().buffer(local).remote(region.remote(), 0),
        lacis -> lacis.get().buffer(local).remote(region.remote(), 0).target(target));
  }

  @Test
  default void aSendThatMayNotBeDoneAlwaysSignals() {
    try (Job job = open(2)) {
      for (int size : OperationCase.sizes(job.rank(0))) {
        Witness sent = Talk.send(job, 0, 1, 3, size, size);
        Talk.receive(job, 1, 0, 3, size, size);
        job.until("the signal of a send of " + size + " bytes", sent::heard);
        assertThat(sent.told().length()).isEqualTo(size);
      }
    }
  }

  @Test
  default void aReceiveThatMayBeDoneIsDoneIfItsMessageIsHere() {
    try (Job job = open(2)) {
      for (int size : List.of(8, job.rank(0).eagerLimit())) {
        Talk.send(job, 0, 1, 3, size, size);
        job.until(
            "a message without receive", () -> job.rank(1).matchingEngine().waitingMessages() == 1);
        MemorySegment buffer = Talk.memory(size);
        OfHandler received = Witness.handler();
        Post answer =
            job.insist(
                "a receive",
                () ->
                    job.rank(1)
                        .recv()
                        .from(0)
                        .buffer(buffer)
                        .tag(3)
                        .allowDone(true)
                        .post(received.completion()));
        assertThat(answer).isEqualTo(Post.DONE);
        Pattern.check("a receive that is done", buffer, size);
        job.progressOn();
        assertThat(received.all()).as("signals").isEmpty();
      }
    }
  }

  @Test
  default void aFullRingAnswersRetryQueueAndNothingHasHappened() {
    try (Job job = open(2)) {
      int[] next = {0};
      List<Post> answers =
          Talk.flood(
              () -> {
                Post answer =
                    job.rank(0).send(1, Talk.filled(8, next[0]), next[0], Completion.NONE);
                next[0] += answer.isRetry() ? 0 : 1;
                return answer;
              });
      assertThat(answers).contains(Post.RETRY_QUEUE);
      for (int tag = 0; tag < next[0]; tag++) {
        Talk.receive(job, 1, 0, tag, 8, tag);
      }
      job.progressOn();
      assertThat(job.rank(1).matchingEngine().waitingMessages()).isZero();
    }
  }

  @Test
  default void anEmptyPoolAnswersRetryPacketAndNothingHasHappened() {
    // Longer than what a network copies without a packet.
    int bytes = 8000;
    var options = Job.OPTIONS.withPool(new PoolOptions(4, 8192));
    try (Job job = open(2, options)) {
      List<Packet> held = new ArrayList<>();
      if (!packetsStayOut()) {
        for (int i = 0; i < 4; i++) {
          held.add(Objects.requireNonNull(job.rank(0).packetPool().get()));
        }
      }
      int[] next = {0};
      List<Post> answers =
          Talk.flood(
              () -> {
                Post answer =
                    job.rank(0).send(1, Talk.filled(bytes, next[0]), next[0], Completion.NONE);
                next[0] += answer.isRetry() ? 0 : 1;
                return answer;
              });
      assertThat(answers).contains(Post.RETRY_PACKET);
      assertThat(next[0]).isEqualTo(4 - held.size());
      held.forEach(Packet::close);
      for (int tag = 0; tag < next[0]; tag++) {
        Talk.receive(job, 1, 0, tag, bytes, tag);
      }
    }
  }

  @Test
  default void whatMayNotBeRetriedGoesToTheBacklogAndCompletes() {
    try (Job job = open(2)) {
      Lacis sender = job.rank(0);
      Counter filled = job.rank(1).newCounter();
      RemoteCompletion target = job.rank(1).register(filled);
      int before =
          Talk.taken(Talk.flood(() -> sender.am(1, Talk.memory(8), 0, target, Completion.NONE)));
      List<Witness> sends = new ArrayList<>();
      List<Post> answers = new ArrayList<>();
      List<Integer> sizes = OperationCase.sizes(sender);
      for (int i = 0; i < sizes.size(); i++) {
        Witness sent = Witness.handler();
        MemorySegment message = Talk.filled(sizes.get(i), i);
        Posting posting = sender.send().to(1).tag(i).buffer(message).allowRetry(false);
        answers.add(posting.allowDone(false).context(i).post(sent.completion()));
        sends.add(sent);
      }
      assertThat(answers).containsOnly(Post.POSTED);
      assertThat(sender.device().backlog().length()).isPositive();
      for (int i = 0; i < sizes.size(); i++) {
        Talk.receive(job, 1, 0, i, sizes.get(i), i);
        job.until("the completion of send " + i, sends.get(i)::heard);
        assertThat(sends.get(i).told().context()).isEqualTo(i);
        assertThat(sends.get(i).told().length()).isEqualTo((long) sizes.get(i));
      }
      assertThat(sender.device().backlog().length()).isZero();
      job.until("the messages before", () -> filled.count() == before);
    }
  }

  @Test
  default void transfersThatMayNotBeRetriedComplete() {
    try (Job job = open(2)) {
      int transfers = 600;
      int bytes = 64;
      Counter done = job.rank(0).newCounter();
      Counter told = job.rank(1).newCounter();
      RemoteCompletion target = job.rank(1).register(told);
      try (Region region = job.rank(1).allocate((long) transfers * bytes)) {
        for (int i = 0; i < transfers; i++) {
          Post answer =
              job.rank(0)
                  .put()
                  .buffer(Talk.filled(bytes, i))
                  .remote(region.remote(), (long) i * bytes)
                  .target(target)
                  .allowRetry(false)
                  .allowDone(false)
                  .post(done);
          assertThat(answer).isEqualTo(Post.POSTED);
        }
        job.until("all puts", () -> done.count() == transfers && told.count() == transfers);
        for (int i = 0; i < transfers; i++) {
          Pattern.check("put " + i, region.segment(), (long) i * bytes, bytes, i);
        }
      }
    }
  }

  @Test
  default void aBlockingPostWaitsForRoom() {
    try (Job job = open(2)) {
      Lacis sender = job.rank(0);
      Counter arrived = job.rank(1).newCounter();
      RemoteCompletion target = job.rank(1).register(arrived);
      MemorySegment message = Talk.memory(100);
      int before = Talk.taken(Talk.flood(() -> sender.am(1, message, 0, target, Completion.NONE)));
      Thread.currentThread().interrupt();
      assertThatThrownBy(
              () -> sender.am().to(1).buffer(message).target(target).postBlocking(Completion.NONE))
          .isInstanceOf(LacisException.class)
          .hasMessageContaining("interrupted");
      assertThat(Thread.interrupted()).isTrue();
      int more = 1000;
      job.together(
          "a stream that is held back",
          lacis -> {
            for (int i = 0; i < more && lacis == sender; i++) {
              Posting posting = lacis.am().to(1).buffer(message).target(target);
              assertThat(posting.postBlocking(Completion.NONE)).isEqualTo(Post.DONE);
            }
            assertThat(lacis == sender || arrived.await(before + more, Job.LIMIT)).isTrue();
            return lacis;
          });
      job.progressOn();
      assertThat(arrived.count()).isEqualTo(before + more);
    }
  }

  @Test
  default void aFullBacklogAnswersRetryBacklog() {
    try (Job job = open(2, Job.OPTIONS.withBacklogCapacity(4))) {
      Lacis sender = job.rank(0);
      assertThat(sender.device().backlog().capacity()).isEqualTo(4);
      Counter sent = sender.newCounter();
      Counter arrived = job.rank(1).newCounter();
      RemoteCompletion target = job.rank(1).register(arrived);
      MemorySegment message = Talk.memory(8);
      List<Post> answers =
          Talk.flood(
              () ->
                  sender
                      .am()
                      .to(1)
                      .buffer(message)
                      .target(target)
                      .allowRetry(false)
                      .allowDone(false)
                      .post(sent));
      assertThat(answers).containsOnly(Post.POSTED, Post.RETRY_BACKLOG);
      int taken = Talk.taken(answers);
      job.until("all that was taken", () -> arrived.count() == taken && sent.count() == taken);
      job.progressOn();
      assertThat(arrived.count()).isEqualTo(taken);
    }
  }
}
