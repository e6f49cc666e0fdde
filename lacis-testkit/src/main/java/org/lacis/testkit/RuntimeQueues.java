package org.lacis.testkit;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.QueueOptions;
import org.lacis.RemoteCompletion;
import org.lacis.Status;

/** Completion queues: nothing is lost, whatever is full. */
interface RuntimeQueues extends RuntimeSuite {

  @Test
  default void completionsComeOutInTheOrderTheyWentIn() {
    try (Job job = open(2)) {
      CompletionQueue queue = job.rank(0).newCompletionQueue(64);
      RemoteCompletion target = job.rank(1).register(Completion.NONE);
      for (int i = 0; i < 50; i++) {
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
                    .post(queue));
      }
      assertThat(queue.length()).isEqualTo(50);
      assertThat(queue.capacity()).isEqualTo(64);
      try (Status status = Status.create()) {
        for (int i = 0; i < 50; i++) {
          assertThat(queue.pop(status)).isTrue();
          assertThat(status.context()).isEqualTo(i);
        }
        assertThat(queue.pop(status)).isFalse();
      }
      assertThat(queue.length()).isZero();
    }
  }

  @Test
  default void aFullQueueHoldsItsSendersBackAndLosesNothing() {
    try (Job job = open(2)) {
      CompletionQueue queue = job.rank(1).newCompletionQueue(4);
      RemoteCompletion target = job.rank(1).register(queue);
      for (int size : Talk.sizes(job.rank(0))) {
        int[] next = {0};
        List<Post> answers = List.of();
        // Progress at the receiver does not help: it is its queue that is full.
        for (int round = 0; round < 5; round++) {
          answers =
              Talk.flood(
                  () -> {
                    MemorySegment message = Talk.filled(size, next[0]);
                    Post answer = job.rank(0).am(1, message, next[0], target, Completion.NONE);
                    next[0] += answer.isRetry() ? 0 : 1;
                    return answer;
                  });
          job.progressOn();
        }
        if (size <= job.rank(0).injectLimit()) {
          assertThat(answers).contains(Post.RETRY_QUEUE);
        }
        assertThat(next[0]).isGreaterThan(8);
        job.until("the queue to be full", () -> queue.length() == 4);
        drain(job, queue, next[0], size);
      }
    }
  }

  /** Takes so many messages, each of another tag, and checks each. */
  private static void drain(Job job, CompletionQueue queue, int count, int size) {
    BitSet seen = new BitSet();
    try (Status status = Status.create()) {
      for (int i = 0; i < count; i++) {
        job.until("message " + i + " of " + count, () -> queue.pop(status));
        assertThat(seen.get(status.tag())).as("message %d came before", status.tag()).isFalse();
        seen.set(status.tag());
        assertThat(status.length()).isEqualTo(size);
        Pattern.check("message " + status.tag(), status.payload(), status.tag());
      }
    }
    job.progressOn();
    assertThat(queue.length()).isZero();
    assertThat(seen.cardinality()).isEqualTo(count);
  }

  @Test
  default void aFullQueueDoesNotHoldBackOtherRanks() {
    try (Job job = open(3)) {
      CompletionQueue queue = job.rank(1).newCompletionQueue(2);
      RemoteCompletion target = job.rank(1).register(queue);
      int taken =
          Talk.taken(
              Talk.flood(() -> job.rank(0).am(1, Talk.filled(8, 0), 0, target, Completion.NONE)));
      job.progressOn();
      Talk.check(job, 1, 2);
      try (Status status = Status.create()) {
        for (int i = 0; i < taken; i++) {
          job.until("a message", () -> queue.pop(status));
        }
      }
    }
  }

  @Test
  default void completionsOfOwnOperationsAreKeptBeyondTheCapacity() {
    try (Job job = open(2)) {
      CompletionQueue queue = job.rank(0).newCompletionQueue(2);
      RemoteCompletion target = job.rank(1).register(Completion.NONE);
      for (int i = 0; i < 100; i++) {
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
                    .post(queue));
      }
      assertThat(queue.length()).isEqualTo(100);
      List<Object> contexts = new ArrayList<>();
      try (Status status = Status.create()) {
        while (queue.pop(status)) {
          contexts.add(String.valueOf(status.context()));
        }
      }
      assertThat(contexts).hasSize(100).doesNotHaveDuplicates();
    }
  }

  @Test
  default void aClosedQueueDropsWhatItHasAndWhatComesLater() {
    try (Job job = open(2)) {
      CompletionQueue queue = job.rank(1).newCompletionQueue(4);
      RemoteCompletion target = job.rank(1).register(queue);
      for (int round = 0; round < 2; round++) {
        for (int size : Talk.sizes(job.rank(0))) {
          for (int i = 0; i < 6; i++) {
            MemorySegment message = Talk.filled(size, i);
            job.insist(
                "an active message", () -> job.rank(0).am(1, message, 0, target, Completion.NONE));
          }
          job.progressOn();
          queue.close();
        }
      }
      job.until("everything to be dropped", () -> queue.length() == 0);
      Talk.check(job, 0, 1);
    }
  }

  @Test
  default void takingWaitsForACompletionAndMakesProgress() {
    try (Job job = open(2)) {
      job.together(
          "messages there and back",
          lacis -> {
            CompletionQueue queue = lacis.newCompletionQueue(16);
            RemoteCompletion target = lacis.register(queue);
            MemorySegment message = Talk.memory(8);
            try (Status status = Status.create()) {
              for (int i = 0; i < 200; i++) {
                if (lacis.rank() == 0) {
                  post(lacis, 1, message, i, target);
                }
                if (i % 2 == 0) {
                  queue.take(status);
                } else {
                  assertThat(queue.take(status, Job.LIMIT)).isTrue();
                }
                assertThat(status.tag()).isEqualTo(i);
                if (lacis.rank() == 1) {
                  post(lacis, 0, message, i, target);
                }
              }
            }
            return lacis;
          });
    }
  }

  private static void post(Lacis lacis, int to, MemorySegment m, int tag, RemoteCompletion target) {
    Await.until(
        "room",
        Job.LIMIT,
        lacis::progress,
        () -> !lacis.am(to, m, tag, target, Completion.NONE).isRetry());
  }

  @Test
  default void takingGivesUpAfterItsLimit() {
    try (Job job = open(2);
        Status status = Status.create()) {
      CompletionQueue queue = job.rank(0).newCompletionQueue(16);
      long start = System.nanoTime();
      assertThat(queue.take(status, Duration.ofMillis(50))).isFalse();
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(50_000_000);
      assertThat(queue.take(status, Duration.ZERO)).isFalse();
    }
  }

  @Test
  default void manyThreadsEmptyAQueueAndNothingIsLostOrDoubled() {
    int messages = 2000;
    int threads = 4;
    try (Job job = open(2)) {
      CompletionQueue queue = job.rank(1).newCompletionQueue(16);
      RemoteCompletion target = job.rank(1).register(queue);
      Set<Long> seen = ConcurrentHashMap.newKeySet();
      AtomicInteger taken = new AtomicInteger();
      List<Thread> takers = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        takers.add(Thread.ofPlatform().daemon().start(() -> take(queue, messages, seen, taken)));
      }
      MemorySegment message = Talk.memory(8);
      for (long i = 0; i < messages; i++) {
        message.set(JAVA_LONG, 0, i);
        Await.until(
            "room for an active message",
            Job.LIMIT,
            job.rank(0)::progress,
            () -> !job.rank(0).am(1, message, 0, target, Completion.NONE).isRetry());
      }
      Await.ended("the takers to have all", takers.toArray(Thread[]::new));
      assertThat(taken.get()).isEqualTo(messages);
      assertThat(seen).hasSize(messages);
    }
  }

  private static void take(CompletionQueue queue, int all, Set<Long> seen, AtomicInteger taken) {
    try (Status status = Status.create()) {
      while (taken.get() < all) {
        if (queue.take(status, Duration.ofMillis(20))) {
          seen.add(status.longAt(0));
          taken.incrementAndGet();
        }
      }
    }
  }

  /** Beyond its capacity many times over: senders of short messages never have to wait for it. */
  @Test
  default void aGrowingQueueHoldsNobodyBackAndKeepsTheOrder() {
    int count = 1000;
    try (Job job = open(2);
        Status status = Status.create()) {
      CompletionQueue queue = job.rank(1).newCompletionQueue(QueueOptions.growing(2));
      RemoteCompletion target = job.rank(1).register(queue);
      for (int round = 1; round <= 2; round++) {
        for (int i = 0; i < count; i++) {
          MemorySegment message = Talk.filled(8, i);
          int tag = i;
          job.insist("room", () -> job.rank(0).am(1, message, tag, target, Completion.NONE));
        }
        job.until("all in the queue", () -> queue.length() == count);
        assertThat(queue.capacity()).isBetween(count / 2, 2 * count);
        BitSet seen = new BitSet();
        while (queue.pop(status)) {
          seen.set(status.tag());
          Pattern.check("message " + status.tag(), status.payload(), status.tag());
        }
        assertThat(seen.cardinality()).isEqualTo(count);
        assertThat(queue.length()).isZero();
      }
    }
  }

  @Test
  default void aBoundedQueueThatKeptMoreThanFitsHoldsItsSendersBack() {
    try (Job job = open(2);
        Status status = Status.create()) {
      CompletionQueue queue = job.rank(1).newCompletionQueue(2);
      RemoteCompletion target = job.rank(1).register(queue);
      for (int i = 0; i < 9; i++) {
        job.insist(
            "a send to oneself",
            () ->
                job.rank(1)
                    .am()
                    .to(0)
                    .buffer(Talk.memory(8))
                    .target(job.rank(0).register(Completion.NONE))
                    .allowDone(false)
                    .context("own")
                    .post(queue));
      }
      job.insist(
          "a message", () -> job.rank(0).am(1, Talk.filled(8, 7), 7, target, Completion.NONE));
      job.progressOn();
      assertThat(queue.length()).as("own completions, and no message").isEqualTo(9);
      for (int i = 0; i < 9; i++) {
        assertThat(queue.pop(status)).isTrue();
        assertThat(status.context()).isEqualTo("own");
      }
      job.until("the message", () -> queue.pop(status));
      assertThat(status.tag()).isEqualTo(7);
    }
  }

  @Test
  default void manyAreTakenAtOnce() {
    try (Job job = open(2)) {
      CompletionQueue queue = job.rank(1).newCompletionQueue(64);
      RemoteCompletion target = job.rank(1).register(queue);
      Status[] into = Status.create(8);
      assertThat(queue.pop(into)).isZero();
      for (int i = 0; i < 13; i++) {
        int tag = i;
        job.insist(
            "a message",
            () -> job.rank(0).am(1, Talk.filled(8, tag), tag, target, Completion.NONE));
      }
      job.until("all in the queue", () -> queue.length() == 13);
      BitSet seen = new BitSet();
      assertThat(queue.pop(into)).isEqualTo(8);
      Arrays.stream(into).forEach(status -> seen.set(status.tag()));
      assertThat(queue.takeAll(into, Duration.ofMillis(20))).as("of eight, in time").isEqualTo(5);
      Arrays.stream(into, 0, 5).forEach(status -> seen.set(status.tag()));
      assertThat(seen.cardinality()).isEqualTo(13);
      assertThat(into[7].length()).as("what is left alone").isEqualTo(8);
    }
  }

  @Test
  default void waitingForManyMakesProgress() {
    try (Job job = open(2)) {
      job.together(
          "eight messages each way",
          lacis -> {
            CompletionQueue queue = lacis.newCompletionQueue(16);
            RemoteCompletion target = lacis.register(queue);
            Status[] into = Status.create(8);
            for (int i = 0; i < 8; i++) {
              post(lacis, 1 - lacis.rank(), Talk.memory(8), i, target);
            }
            assertThat(queue.takeAll(into, Job.LIMIT)).isEqualTo(8);
            return lacis;
          });
    }
  }

  @Test
  default void waitingForSomeTakesWhatIsThere() {
    try (Job job = open(2)) {
      job.together(
          "eight messages each way",
          lacis -> {
            CompletionQueue queue = lacis.newCompletionQueue(16);
            RemoteCompletion target = lacis.register(queue);
            Status[] into = Status.create(8);
            CompletionQueue silent = lacis.newCompletionQueue(16);
            assertThat(silent.take(into, Duration.ofMillis(1))).as("of none, in time").isZero();
            for (int i = 0; i < 8; i++) {
              post(lacis, 1 - lacis.rank(), Talk.memory(8), i, target);
            }
            BitSet seen = new BitSet();
            while (seen.cardinality() < 8) {
              int n = seen.cardinality() % 2 == 0 ? queue.take(into) : queue.take(into, Job.LIMIT);
              assertThat(n).isBetween(1, 8);
              Arrays.stream(into, 0, n).forEach(status -> seen.set(status.tag()));
            }
            assertThat(queue.take(new Status[0])).isZero();
            return lacis;
          });
    }
  }

  @Test
  default void aMissingStatusLosesNoCompletion() {
    try (Job job = open(2)) {
      CompletionQueue queue = job.rank(1).newCompletionQueue(16);
      RemoteCompletion target = job.rank(1).register(queue);
      job.insist(
          "a message", () -> job.rank(0).am(1, Talk.filled(8, 1), 1, target, Completion.NONE));
      job.until("it is in the queue", () -> queue.length() == 1);
      Status[] empty = new Status[2];
      Refusal refusal = new Refusal(job);
      refusal.ofNull("into[0]", () -> queue.pop(empty));
      refusal.ofNull("Status.create(2)", () -> queue.take(empty));
      refusal.ofNull("into[0]", () -> queue.takeAll(empty, Duration.ofMillis(1)));
      refusal.ofNull("into", () -> queue.pop(Refusal.<Status>nothing()));
      refusal.ofNull("into", () -> queue.take(Refusal.<Status>nothing()));
      assertThat(queue.length()).isEqualTo(1);
      try (Status status = Status.create()) {
        assertThat(queue.pop(status)).isTrue();
        assertThat(status.tag()).isEqualTo(1);
      }
    }
  }
}
