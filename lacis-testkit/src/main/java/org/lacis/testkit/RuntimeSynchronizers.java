package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.Counter;
import org.lacis.ErrorKind;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.RemoteCompletion;
import org.lacis.Status;
import org.lacis.Synchronizer;

/** Synchronizers, counters and futures. */
interface RuntimeSynchronizers extends RuntimeSuite {

  private static void am(Job job, int tag, int size, RemoteCompletion target) {
    var message = Talk.filled(size, tag);
    job.insist("an active message", () -> job.rank(0).am(1, message, tag, target, Completion.NONE));
  }

  /** Posts a receive at rank 1 that is too short for the message that comes. */
  private static void fail(Job job, Completion done) {
    job.insist("a receive", () -> job.rank(1).recv(0, Talk.memory(4), 5, done));
    Talk.send(job, 0, 1, 5, 8, 1);
  }

  @Test
  default void aSynchronizerFiresAtItsThresholdAndCanBeUsedAgain() {
    try (Job job = open(2)) {
      Synchronizer sync = job.rank(1).newSynchronizer(3);
      assertThat(sync.threshold()).isEqualTo(3);
      RemoteCompletion target = job.rank(1).register(sync);
      for (int round = 0; round < 20; round++) {
        int size = round % 2 == 0 ? 8 : 1000;
        am(job, 1, size, target);
        am(job, 2, size, target);
        job.progressOn();
        assertThat(sync.test()).isFalse();
        am(job, 3, size, target);
        job.until("round " + round, sync::test);
        assertThat(sync.test()).isFalse();
        int tags = 0;
        for (int i = 0; i < 3; i++) {
          tags += 1 << sync.status(i).tag();
          Pattern.check("signal " + i, sync.status(i).payload(), sync.status(i).tag());
          sync.status(i).close();
        }
        assertThat(tags).isEqualTo(0b1110);
      }
      assertThatThrownBy(() -> sync.status(3)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> sync.status(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  default void signalsBeyondTheThresholdCountForTheNextRound() {
    try (Job job = open(2)) {
      Synchronizer sync = job.rank(1).newSynchronizer(2);
      RemoteCompletion target = job.rank(1).register(sync);
      for (int tag = 1; tag <= 6; tag++) {
        am(job, tag, 8, target);
      }
      job.progressOn();
      int tags = 0;
      for (int round = 0; round < 3; round++) {
        job.until("round " + round, sync::test);
        tags += 1 << sync.status(0).tag();
        tags += 1 << sync.status(1).tag();
      }
      assertThat(tags).isEqualTo(0b1111110);
      job.progressOn();
      assertThat(sync.test()).isFalse();
    }
  }

  @Test
  default void ownOperationsBeyondTheThresholdCountForTheNextRoundToo() {
    try (Job job = open(2)) {
      Synchronizer sync = job.rank(0).newSynchronizer(2);
      RemoteCompletion target = job.rank(1).register(Completion.NONE);
      for (int i = 0; i < 7; i++) {
        int number = i;
        job.insist(
            "an active message",
            () ->
                job.rank(0)
                    .am()
                    .to(1)
                    .buffer(Talk.memory(8))
                    .target(target)
                    .allowDone(false)
                    .context(number)
                    .post(sync));
      }
      for (int round = 0; round < 3; round++) {
        assertThat(sync.test()).isTrue();
        assertThat(sync.status(0).context()).isEqualTo(2 * round);
        assertThat(sync.status(1).context()).isEqualTo(2 * round + 1);
      }
      assertThat(sync.test()).isFalse();
    }
  }

  @Test
  default void aFailureIsThrownWhenTheSynchronizerFires() {
    try (Job job = open(2)) {
      Synchronizer sync = job.rank(1).newSynchronizer();
      fail(job, sync);
      job.until("the failure", () -> sync.toString().contains("1 of 1"));
      assertThatThrownBy(sync::test)
          .isInstanceOfSatisfying(
              CommunicationException.class,
              e -> assertThat(e.kind()).isEqualTo(ErrorKind.TRUNCATED));
      assertThat(sync.status(0).failed()).isTrue();
      assertThat(sync.test()).as("it is reset").isFalse();
      fail(job, sync);
      job.progressOn();
      assertThatThrownBy(() -> sync.await(Job.LIMIT)).isInstanceOf(CommunicationException.class);
    }
  }

  @Test
  default void waitingGivesUpAfterItsLimitAndGoesOnCollecting() {
    try (Job job = open(2)) {
      Synchronizer sync = job.rank(1).newSynchronizer(2);
      RemoteCompletion target = job.rank(1).register(sync);
      am(job, 1, 8, target);
      job.progressOn();
      assertThat(sync.await(Duration.ofMillis(20))).isFalse();
      assertThat(sync.await(Duration.ZERO)).isFalse();
      am(job, 2, 8, target);
      job.progressOn();
      assertThat(sync.await(Job.LIMIT)).isTrue();
    }
  }

  @Test
  default void aLimitMayBeLongerThanNanosecondsCanSay() throws InterruptedException {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      for (long seconds : new long[] {Long.MAX_VALUE, Long.MAX_VALUE / 1_000_000_000}) {
        Duration limit = Duration.ofSeconds(seconds);
        Synchronizer sync = lacis.newSynchronizer();
        Counter counter = lacis.newCounter();
        CompletionQueue queue = lacis.newCompletionQueue();
        Completion[] each = {sync, counter, queue, queue};
        Thread later =
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (Completion one : each) {
                        LockSupport.parkNanos(10_000_000);
                        one.signal(Status.of(1, 5, MemorySegment.NULL, null));
                      }
                    });
        assertThat(sync.await(limit)).isTrue();
        assertThat(counter.await(1, limit)).isTrue();
        assertThat(queue.take(Status.create(), limit)).isTrue();
        assertThat(queue.take(Status.create(1), limit)).isEqualTo(1);
        assertThat(lacis.fence(limit)).isTrue();
        later.join();
      }
    }
  }

  @Test
  default void aLimitThatIsOverIsNoneAndOneThatIsMissingIsRefused() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      Synchronizer sync = lacis.newSynchronizer();
      Counter counter = lacis.newCounter();
      CompletionQueue queue = lacis.newCompletionQueue();
      Status status = Status.create();
      Duration past = Duration.ofSeconds(Long.MIN_VALUE);
      assertThat(sync.await(past)).isFalse();
      assertThat(counter.await(1, past)).isFalse();
      assertThat(queue.take(status, past)).isFalse();
      Refusal refusal = new Refusal(job);
      refusal.ofNull("limit", () -> sync.await((Duration) Refusal.nothing()));
      refusal.ofNull("limit", () -> counter.await(1, Refusal.nothing()));
      refusal.ofNull("limit", () -> queue.take(status, Refusal.nothing()));
      refusal.ofNull("limit", () -> lacis.fence(Refusal.nothing()));
    }
  }

  @Test
  default void waitingMakesProgress() {
    try (Job job = open(2)) {
      job.together(
          "messages there and back",
          lacis -> {
            Synchronizer received = lacis.newSynchronizer();
            var buffer = Talk.memory(8);
            for (int i = 0; i < 200; i++) {
              int tag = i;
              if (lacis.rank() == 0) {
                send(lacis, 1, tag);
              }
              Await.until(
                  "a receive",
                  Job.LIMIT,
                  lacis::progress,
                  () -> !lacis.recv(1 - lacis.rank(), buffer, tag, received).isRetry());
              if (i % 2 == 0) {
                received.await();
              } else {
                assertThat(received.await(Job.LIMIT)).isTrue();
              }
              Pattern.check("message " + i, buffer, tag);
              if (lacis.rank() == 1) {
                send(lacis, 0, tag);
              }
            }
            return lacis;
          });
    }
  }

  private static void send(Lacis lacis, int to, int tag) {
    Await.until(
        "a send",
        Job.LIMIT,
        lacis::progress,
        () -> lacis.send(to, Talk.filled(8, tag), tag, Completion.NONE).isDone());
  }

  @Test
  default void aCounterCountsCompletionsAndFailures() {
    try (Job job = open(2)) {
      Counter counter = job.rank(1).newCounter();
      RemoteCompletion target = job.rank(1).register(counter);
      for (int i = 0; i < 10; i++) {
        am(job, i, 8, target);
      }
      fail(job, counter);
      job.progressOn();
      assertThat(counter.await(11, Job.LIMIT)).isTrue();
      assertThat(counter.count()).isEqualTo(11);
      assertThat(counter.failures()).isEqualTo(1);
      counter.await(5);
      assertThat(counter.await(12, Duration.ofMillis(20))).isFalse();
    }
  }

  @Test
  default void anyCompletionObjectCanBeSignalledByHand() {
    try (Job job = open(2)) {
      for (Witness.Kind kind : Witness.Kind.values()) {
        Witness witness = Witness.of(kind, job.rank(0));
        witness.completion().signal(Status.of(7, 5, Talk.filled(20, 3), "by hand"));
        assertThat(witness.heard()).as("%s", kind).isTrue();
        if (kind.tells()) {
          Outcome told = witness.told();
          assertThat(told.rank()).isEqualTo(7);
          assertThat(told.tag()).isEqualTo(5);
          assertThat(told.context()).isEqualTo("by hand");
          assertThat(told.error()).isNull();
          assertThat(told.length()).isEqualTo(20);
          Pattern.check("the payload", told.payload(), 3);
        }
      }
      Synchronizer both = job.rank(0).newSynchronizer(2);
      job.insist("a receive", () -> job.rank(0).recv(1, Talk.memory(8), 5, both));
      both.signal(Status.of(-1, 0, MemorySegment.NULL, null));
      assertThat(both.test()).as("one of two").isFalse();
      Talk.send(job, 1, 0, 5, 8, 1);
      job.until("a message beside a signal by hand", both::test);
      assertThat(both.status(0).length()).isZero();
      assertThat(both.status(1).length()).isEqualTo(8);
      both.signal(
          Status.failure(new CommunicationException(ErrorKind.FUNCTION, 3, "failed by hand")));
      both.signal(Status.create());
      assertThatThrownBy(both::test).hasMessageEndingWith(": failed by hand");
    }
  }

  @Test
  default void aSignalOfNothingIsRefusedAndTakesNoPlace() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      Synchronizer sync = lacis.newSynchronizer();
      CompletionQueue queue = lacis.newCompletionQueue(2);
      Counter counter = lacis.newCounter();
      Refusal refusal = new Refusal(job);
      for (int i = 0; i < 3; i++) {
        refusal.ofNull("status", () -> sync.signal(Refusal.nothing()));
        refusal.ofNull("status", () -> queue.signal(Refusal.nothing()));
        refusal.ofNull("status", () -> counter.signal(Refusal.nothing()));
      }
      assertThat(sync.test()).isFalse();
      assertThat(queue.length()).isZero();
      assertThat(counter.count()).isZero();
      sync.signal(Status.of(1, 5, MemorySegment.NULL, null));
      queue.signal(Status.of(1, 6, MemorySegment.NULL, null));
      assertThat(sync.test()).isTrue();
      assertThat(sync.status(0).tag()).isEqualTo(5);
      Status status = Status.create();
      assertThat(queue.pop(status)).isTrue();
      assertThat(status.tag()).isEqualTo(6);
    }
  }

  @Test
  default void aFailureCanBeToldToSeveral() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(1);
      Synchronizer sync = lacis.newSynchronizer();
      CompletionQueue queue = lacis.newCompletionQueue();
      Counter counter = lacis.newCounter();
      Completion all =
          status -> {
            sync.signal(status);
            sync.signal(status);
            queue.signal(status);
            queue.signal(status);
            counter.signal(status);
          };
      all.signal(Status.failure(new CommunicationException(ErrorKind.FUNCTION, 3, "by hand")));
      checkTold(sync, queue, 3, "by hand");
      assertThat(counter.failures()).isEqualTo(1);
      fail(job, all);
      job.until("the failure", () -> counter.count() == 2);
      checkTold(sync, queue, 0, "8 bytes");
      assertThat(counter.failures()).isEqualTo(2);
      all.signal(Status.of(0, 5, MemorySegment.NULL, null));
      assertThat(sync.test()).as("no failure is left").isTrue();
      assertThat(counter.failures()).isEqualTo(2);
    }
  }

  /** Two signals each, with the same failure. */
  private static void checkTold(Synchronizer sync, CompletionQueue queue, int rank, String why) {
    Status status = Status.create();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(sync::test)
          .isInstanceOf(CommunicationException.class)
          .hasMessageContaining(why);
      assertThat(queue.pop(status)).isTrue();
      assertThat(status.error()).isNotNull().hasMessageContaining(why);
      assertThat(status.rank()).isEqualTo(rank);
    }
    assertThat(queue.pop(status)).isFalse();
  }

  @Test
  default void aFutureHasTheValueThatIsMadeOfTheStatus() {
    try (Job job = open(2)) {
      var future = Completion.future(status -> status.rank() + ":" + status.tag());
      job.insist("a receive", () -> job.rank(1).recv(0, Talk.memory(8), 5, future));
      Talk.send(job, 0, 1, 5, 8, 1);
      job.until("the future", future::isDone);
      assertThat(future).isCompletedWithValue("0:5");
    }
  }

  @Test
  default void aFutureFailsWithItsOperation() {
    try (Job job = open(2)) {
      var future = Completion.future(status -> status.length());
      fail(job, future);
      job.until("the future", future::isDone);
      assertThatThrownBy(future::join)
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOf(CommunicationException.class);
    }
  }

  @Test
  default void aFutureFailsIfItsValueCannotBeMade() {
    try (Job job = open(2)) {
      var future =
          Completion.future(
              status -> {
                throw new ArithmeticException("no value of " + status.tag());
              });
      job.insist("a receive", () -> job.rank(1).recv(0, Talk.memory(8), 5, future));
      Talk.send(job, 0, 1, 5, 8, 1);
      job.until("the future", future::isDone);
      assertThatThrownBy(future::join).hasRootCauseMessage("no value of 5");
      Talk.check(job, 0, 1);
    }
  }

  @Test
  default void aFutureFailsWithAnErrorToo() {
    var future =
        Completion.future(
            status -> {
              throw new AssertionError("no value of " + status.tag());
            });
    future.signal(Status.of(0, 5, MemorySegment.NULL, null));
    assertThat(future).isCompletedExceptionally();
    assertThatThrownBy(future::join).hasRootCauseMessage("no value of 5");
  }

  @Test
  default void awaitingAnAnswerWaitsOnlyForWhatIsSignalled() {
    try (Job job = open(2)) {
      job.together(
          "messages of every protocol",
          lacis -> {
            int peer = 1 - lacis.rank();
            Synchronizer sent = lacis.newSynchronizer();
            Synchronizer received = lacis.newSynchronizer();
            for (int size : Talk.sizes(lacis)) {
              Post answer =
                  lacis
                      .recv()
                      .from(peer)
                      .buffer(Talk.memory(size))
                      .tag(size)
                      .postBlocking(received);
              sent.await(
                  lacis.send().to(peer).buffer(Talk.memory(size)).tag(size).postBlocking(sent));
              received.await(answer);
              assertThat(received.status(0).length()).isEqualTo(size);
              received.await(Post.DONE);
              assertThat(received.status(0).length()).as("of nothing").isZero();
              assertThat(received.status(0).tag()).as("of nothing").isZero();
            }
            // The last word on the peer's message may be in the backlog still.
            lacis.barrier();
            return lacis;
          });
      Synchronizer one = job.rank(0).newSynchronizer();
      Synchronizer two = job.rank(0).newSynchronizer(2);
      Refusal refusal = new Refusal(job);
      refusal.ofArgument(() -> one.await(Post.RETRY_QUEUE), "RETRY_QUEUE", "postBlocking");
      refusal.ofState(() -> two.await(Post.POSTED), 2, "await()");
    }
  }

  @Test
  default void theStatusOfAFailureSaysSoWhenItIsRead() {
    try (Job job = open(2)) {
      Status[] into = Status.create(1);
      CompletionQueue queue = job.rank(1).newCompletionQueue();
      fail(job, queue);
      job.until("the failure", () -> queue.pop(into) == 1);
      Status failed = into[0];
      assertThat(failed.failed()).isTrue();
      Refusal refusal = new Refusal(job);
      refusal.ofState(() -> failed.longAt(0), "has failed", "8 bytes");
      refusal.ofState(() -> failed.byteAt(0), "has failed");
      refusal.ofState(failed::payload, "has failed");
      refusal.ofState(() -> failed.copyTo(Talk.memory(8), 0), "has failed");
      assertThat(failed.buffer().byteSize()).as("the buffer that was posted").isEqualTo(4);
    }
  }
}
