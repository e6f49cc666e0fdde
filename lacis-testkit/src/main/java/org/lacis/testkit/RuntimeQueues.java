package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
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
        complete(job, 0, target, i, queue);
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

  /** Has an operation of a rank's own end in a queue. */
  private static void complete(
      Job job, int rank, RemoteCompletion target, Object context, CompletionQueue queue) {
    job.insist(
        "an active message",
        () ->
            job.rank(rank)
                .am()
                .to(1 - rank)
                .buffer(Talk.memory(8))
                .target(target)
                .allowDone(false)
                .context(context)
                .post(queue));
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
        complete(job, 0, target, i, queue);
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
        complete(job, 1, job.rank(0).register(Completion.NONE), "own", queue);
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
}
