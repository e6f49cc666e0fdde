package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.Graph;
import org.lacis.Handler;
import org.lacis.Lacis;
import org.lacis.MatchingOptions;
import org.lacis.Post;
import org.lacis.RemoteCompletion;
import org.lacis.Status;

/** What functions that run inside progress may do, and may not. */
interface RuntimeHandlers extends RuntimeSuite {

  @Test
  default void handlersAnswerEachOther() {
    try (Job job = open(2)) {
      int last = 2000;
      AtomicInteger reached = new AtomicInteger();
      RemoteCompletion next = new RemoteCompletion(0);
      for (Lacis lacis : job.ranks()) {
        lacis.register(
            (Handler)
                status -> {
                  int number = status.tag();
                  reached.set(number);
                  if (number < last) {
                    Post answer =
                        lacis
                            .am()
                            .to(status.rank())
                            .buffer(Talk.memory(sizeOf(lacis, number)))
                            .tag(number + 1)
                            .target(next)
                            .allowRetry(false)
                            .post(Completion.NONE);
                    assertThat(answer.isRetry()).isFalse();
                  }
                });
      }
      job.insist(
          "the first message", () -> job.rank(0).am(1, Talk.memory(8), 1, next, Completion.NONE));
      job.until("message " + last, () -> reached.get() == last);
    }
  }

  private static int sizeOf(Lacis lacis, int number) {
    List<Integer> sizes = Talk.sizes(lacis);
    return sizes.get(number % sizes.size());
  }

  @Test
  default void aHandlerPostsItsNextReceive() {
    try (Job job = open(2)) {
      List<Integer> received = new ArrayList<>();
      Lacis lacis = job.rank(1);
      var buffer = Talk.memory(2000);
      Handler[] handler = new Handler[1];
      handler[0] =
          status -> {
            Pattern.check("tag " + status.tag(), status.payload(), status.tag());
            received.add(status.tag());
            if (received.size() < 100) {
              lacis
                  .recv()
                  .from(0)
                  .tag(received.size())
                  .buffer(buffer)
                  .allowRetry(false)
                  .post(handler[0]);
            }
          };
      job.insist("a receive", () -> lacis.recv(0, buffer, 0, handler[0]));
      for (int tag = 0; tag < 100; tag++) {
        Talk.send(job, 0, 1, tag, 20 * tag, tag);
      }
      job.until("all messages", () -> received.size() == 100);
      assertThat(received).isSorted();
    }
  }

  @Test
  default void aHandlerThatThrowsDoesNoOtherHarm() {
    try (Job job = open(2);
        LacisLog log = new LacisLog()) {
      AtomicInteger calls = new AtomicInteger();
      Handler throwing =
          status -> {
            calls.incrementAndGet();
            throw new IllegalStateException("thrown by a test");
          };
      RemoteCompletion target = job.rank(1).register(throwing);
      int count = 0;
      for (int size : Talk.sizes(job.rank(0))) {
        var message = Talk.filled(size, 1);
        job.insist("an active message", () -> job.rank(0).am(1, message, 0, target, throwing));
        count++;
      }
      job.insist("a receive", () -> job.rank(1).recv(0, Talk.memory(8), 1, throwing));
      Talk.send(job, 0, 1, 1, 8, 1);
      count++;
      // The zero-copy send has a completion of its own.
      int all = count + 1;
      job.until("all calls", () -> calls.get() == all);
      assertThat(log.messages()).hasSize(all).allMatch(line -> line.contains("thrown by a test"));
      Talk.check(job, 0, 1);
    }
  }

  @Test
  default void anErrorInAHandlerDoesNoOtherHarm() {
    try (Job job = open(2);
        LacisLog log = new LacisLog()) {
      AtomicInteger calls = new AtomicInteger();
      RemoteCompletion target =
          job.rank(1)
              .register(
                  (Handler)
                      status -> {
                        calls.incrementAndGet();
                        throw new StackOverflowError("thrown by a test");
                      });
      job.insist("a message", () -> job.rank(0).am(1, Talk.memory(8), 0, target, Completion.NONE));
      job.until("the call", () -> calls.get() == 1);
      assertThat(log.messages()).hasSize(1).allMatch(line -> line.contains("thrown by a test"));
      Talk.check(job, 0, 1);
    }
  }

  private static List<Runnable> waits(Lacis lacis) {
    CompletionQueue queue = lacis.newCompletionQueue(2);
    return List.of(
        () -> lacis.newSynchronizer().await(),
        () -> lacis.newSynchronizer().await(Job.LIMIT),
        () -> lacis.newCounter().await(1),
        () -> lacis.newCounter().await(1, Job.LIMIT),
        () -> queue.take(Status.create()),
        () -> queue.take(Status.create(), Job.LIMIT),
        lacis::barrier,
        lacis::fence,
        () -> lacis.fence(Job.LIMIT),
        () -> lacis.send().to(0).buffer(Talk.memory(8)).postBlocking(Completion.NONE),
        lacis::close);
  }

  /** A handler that waits, and what it is told. */
  private static Handler waiting(Runnable wait, List<RuntimeException> thrown) {
    return status -> {
      try {
        wait.run();
      } catch (RuntimeException e) {
        thrown.add(e);
      }
    };
  }

  private static void checkRefused(List<RuntimeException> thrown) {
    assertThat(thrown.getFirst())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("handler")
        .hasMessageContaining("wait");
  }

  @Test
  default void aHandlerThatWaitsIsToldThatItMustNot() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(1);
      for (Runnable wait : waits(lacis)) {
        List<RuntimeException> thrown = new ArrayList<>();
        RemoteCompletion target = lacis.register(waiting(wait, thrown));
        job.insist(
            "a message", () -> job.rank(0).am(1, Talk.memory(8), 0, target, Completion.NONE));
        job.until("the handler", () -> !thrown.isEmpty());
        checkRefused(thrown);
        Talk.check(job, 0, 1);
      }
    }
  }

  /** Outside of progress: within the start of a graph, and within a post. */
  @Test
  default void whatWaitsWithinTheCallThatRunsItIsToldThatItMustNot() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(1);
      for (Runnable wait : waits(lacis)) {
        List<RuntimeException> thrown = new ArrayList<>();
        Handler handler = waiting(wait, thrown);
        Graph outer = lacis.newGraph();
        Graph graph = lacis.newGraph();
        graph.call(() -> handler.signal(Status.create()));
        outer.post(graph);
        outer.start();
        checkRefused(thrown);
        assertThat(outer.test()).isTrue();

        thrown.clear();
        Witness sent = Talk.send(job, 0, 1, 5, 8, 1);
        job.until("the message", () -> lacis.matchingEngine().waitingMessages() == 1);
        job.insist(
            "a receive",
            () ->
                lacis.recv().from(0).tag(5).buffer(Talk.memory(8)).allowDone(false).post(handler));
        job.until("the handler", () -> !thrown.isEmpty());
        checkRefused(thrown);
        job.until("the end of the send", sent::heard);
        Talk.check(job, 0, 1);
      }
    }
  }

  /** It runs there, or on the thread that asks how many receives wait. */
  @Test
  default void aHandlerThatWaitsOnAMatchingThreadIsToldThatItMustNot() {
    try (Job job = open(2)) {
      Ordered talk = new Ordered(job, MatchingOptions.ordered().threads(2));
      Lacis lacis = job.rank(1);
      for (Runnable wait : waits(lacis)) {
        List<RuntimeException> thrown = new CopyOnWriteArrayList<>();
        Handler handler = waiting(wait, thrown);
        job.insist(
            "a receive",
            () ->
                lacis.recv().from(0).buffer(Talk.memory(8)).matching(talk.engine(1)).post(handler));
        talk.send(0, 1, 0, 8, 1);
        job.until("the handler", () -> talk.engine(1).waitingReceives() >= 0 && !thrown.isEmpty());
        checkRefused(thrown);
        Talk.check(job, 0, 1);
      }
    }
  }

  @Test
  default void progressFromAHandlerDoesNothing() {
    try (Job job = open(2)) {
      List<Integer> done = new ArrayList<>();
      Lacis lacis = job.rank(1);
      RemoteCompletion target =
          lacis.register((Handler) status -> done.add(lacis.device().progress()));
      for (int i = 0; i < 3; i++) {
        job.insist(
            "a message", () -> job.rank(0).am(1, Talk.memory(8), 0, target, Completion.NONE));
      }
      job.until("three calls", () -> done.size() == 3);
      assertThat(done).containsOnly(0);
    }
  }

  @Test
  default void aClassOfTheUsersOwnIsACompletionObject() {
    // Adds up what it hears of.
    final class Sum implements Completion {
      private long bytes;

      @Override
      public void signal(Status status) {
        bytes += status.length();
      }
    }
    try (Job job = open(2)) {
      Sum sum = new Sum();
      RemoteCompletion target = job.rank(1).register(sum);
      for (int size : Talk.sizes(job.rank(0))) {
        var message = Talk.memory(size);
        job.insist("a message", () -> job.rank(0).am(1, message, 0, target, Completion.NONE));
      }
      long all = Talk.sizes(job.rank(0)).stream().mapToLong(size -> size).sum();
      job.until("all bytes", () -> sum.bytes == all);
    }
  }

  @Test
  default void whatIsDeregisteredHearsNothingMore() {
    try (Job job = open(2);
        LacisLog log = new LacisLog()) {
      AtomicInteger calls = new AtomicInteger();
      RemoteCompletion target = job.rank(1).register((Handler) status -> calls.incrementAndGet());
      job.rank(1).deregister(target);
      for (int size : Talk.sizes(job.rank(0))) {
        var message = Talk.memory(size);
        job.insist("a message", () -> job.rank(0).am(1, message, 0, target, Completion.NONE));
      }
      job.checkIdle();
      assertThat(calls.get()).isZero();
      assertThat(log.messages()).hasSize(3).allMatch(line -> line.contains("from rank 0"));
      Talk.check(job, 0, 1);
    }
  }
}
