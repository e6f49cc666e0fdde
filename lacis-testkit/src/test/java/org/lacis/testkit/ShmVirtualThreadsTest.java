package org.lacis.testkit;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.Lacis;
import org.lacis.Synchronizer;

/** A hundred thousand virtual threads wait at once, each for its own message, in blocking style. */
class ShmVirtualThreadsTest {

  private static final int THREADS = 100_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void eachOfAHundredThousandWaitingThreadsGetsItsMessage() throws InterruptedException {
    try (Job job = ShmJobs.open(2, Job.OPTIONS)) {
      Lacis receiver = job.rank(0);
      LongAdder sum = new LongAdder();
      AtomicInteger failures = new AtomicInteger();
      CountDownLatch posted = new CountDownLatch(THREADS);
      CountDownLatch received = new CountDownLatch(THREADS);
      for (int i = 0; i < THREADS; i++) {
        int tag = i;
        Thread.ofVirtual()
            .uncaughtExceptionHandler((_, _) -> failures.incrementAndGet())
            .start(
                () -> {
                  try {
                    sum.add(receive(receiver, tag, posted));
                  } finally {
                    received.countDown();
                  }
                });
      }
      assertThat(posted.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).as("receives posted").isTrue();
      assertThat(receiver.matchingEngine().waitingReceives()).isEqualTo(THREADS);
      sendAll(job.rank(1));
      assertThat(received.await(LIMIT.toSeconds(), TimeUnit.SECONDS))
          .as("all threads have their messages; %d have not", received.getCount())
          .isTrue();
      assertThat(failures.get()).isZero();
      assertThat(sum.sum()).isEqualTo((long) THREADS * (THREADS - 1) / 2);
    }
  }

  private static int receive(Lacis lacis, int tag, CountDownLatch posted) {
    MemorySegment buffer = MemorySegment.ofArray(new int[1]);
    Synchronizer done = lacis.newSynchronizer();
    while (lacis.recv(1, buffer, tag, done).isRetry()) {
      Thread.yield();
    }
    posted.countDown();
    if (!done.await(LIMIT)) {
      throw new AssertionError("message " + tag + " does not come");
    }
    return buffer.get(JAVA_INT, 0);
  }

  private static void sendAll(Lacis lacis) {
    MemorySegment message = MemorySegment.ofArray(new int[1]);
    for (int i = 0; i < THREADS; i++) {
      message.set(JAVA_INT, 0, i);
      int tag = i;
      Await.until(
          "room for message " + i,
          Job.LIMIT,
          lacis::progress,
          () -> lacis.send(0, message, tag, Completion.NONE).isDone());
    }
  }

  @Test
  void virtualThreadsConverseInBothDirections() throws InterruptedException {
    int threads = 300;
    try (Job job = ShmJobs.open(2, Job.OPTIONS)) {
      CountDownLatch left = new CountDownLatch(2 * threads);
      AtomicInteger failures = new AtomicInteger();
      for (Lacis lacis : job.ranks()) {
        for (int i = 0; i < threads; i++) {
          int tag = i;
          Thread.ofVirtual()
              .uncaughtExceptionHandler((_, _) -> failures.incrementAndGet())
              .start(
                  () -> {
                    try {
                      converse(lacis, tag);
                    } finally {
                      left.countDown();
                    }
                  });
        }
      }
      assertThat(left.await(LIMIT.toSeconds(), TimeUnit.SECONDS))
          .as("all conversations end; %d have not", left.getCount())
          .isTrue();
      assertThat(failures.get()).isZero();
    }
  }

  /** Nine messages there and back, of every protocol. */
  private static void converse(Lacis lacis, int tag) {
    int peer = 1 - lacis.rank();
    Synchronizer both = lacis.newSynchronizer(2);
    int[] sizes = {4, 400, 10_000};
    for (int i = 0; i < 9; i++) {
      int size = sizes[i % sizes.length];
      MemorySegment out = MemorySegment.ofArray(Pattern.bytes(size, 10L * tag + lacis.rank()));
      MemorySegment in = MemorySegment.ofArray(new byte[size]);
      lacis.recv().from(peer).buffer(in).tag(tag).postBlocking(both);
      lacis.send().to(peer).buffer(out).tag(tag).allowDone(false).postBlocking(both);
      if (!both.await(LIMIT)) {
        throw new AssertionError("message " + i + " of conversation " + tag + " does not come");
      }
      Pattern.check("conversation " + tag, in, 10L * tag + peer);
    }
  }
}
