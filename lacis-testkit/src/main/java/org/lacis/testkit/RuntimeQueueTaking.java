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
import org.lacis.RemoteCompletion;
import org.lacis.Status;

/** Taking from completion queues: one, many, with or without waiting, by many threads. */
interface RuntimeQueueTaking extends RuntimeSuite {
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
