package org.lacis.testkit;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.Device;
import org.lacis.Graph;
import org.lacis.Handler;
import org.lacis.Lacis;
import org.lacis.MatchingPolicy;
import org.lacis.Post;
import org.lacis.RemoteCompletion;
import org.lacis.Status;

/** Completion graphs that go well. */
interface RuntimeGraphs extends RuntimeSuite {

  /** A graph that receives, doubles what came, and sends it on. */
  private static Graph relay(Lacis lacis, int from, int to, MemorySegment number, int[] tag) {
    Graph graph = lacis.newGraph("relay");
    var in = graph.post("in", done -> lacis.recv(from, number, tag[0], done));
    var twice =
        graph.call("twice", () -> number.set(JAVA_LONG, 0, 2 * number.get(JAVA_LONG, 0))).after(in);
    graph.post("out", done -> lacis.send(to, number, tag[0], done)).after(twice);
    return graph;
  }

  @Test
  default void aGraphRunsInOrderAndCanBeStartedAgain() {
    try (Job job = open(3)) {
      int[] tag = new int[1];
      List<MemorySegment> numbers = new ArrayList<>();
      List<Graph> graphs = new ArrayList<>();
      for (Lacis lacis : job.ranks()) {
        MemorySegment number = Talk.memory(8);
        numbers.add(number);
        graphs.add(relay(lacis, (lacis.rank() + 2) % 3, (lacis.rank() + 1) % 3, number, tag));
      }
      assertThat(graphs.getFirst().test()).as("never started").isFalse();
      for (int run = 1; run <= 20; run++) {
        tag[0] = run;
        graphs.forEach(Graph::start);
        job.progressOn();
        assertThat(graphs).noneMatch(Graph::test);
        MemorySegment first = Talk.memory(8);
        first.set(JAVA_LONG, 0, run);
        job.insist("a send", () -> job.rank(0).send(1, first, tag[0], Completion.NONE));
        job.until("run " + run, () -> graphs.stream().allMatch(Graph::test));
        assertThat(numbers).extracting(n -> n.get(JAVA_LONG, 0)).contains(2L * run, 4L * run);
        MemorySegment last = Talk.memory(8);
        Witness received = Witness.handler();
        job.finish(
            "the last message",
            received,
            () -> job.rank(1).recv(0, last, tag[0], received.completion()));
        assertThat(last.get(JAVA_LONG, 0)).isEqualTo(8L * run);
      }
    }
  }

  @Test
  default void theEndIsSignalledAndTheGraphCanBeStartedFromThere() {
    try (Job job = open(2)) {
      AtomicInteger calls = new AtomicInteger();
      Graph graph = job.rank(0).newGraph("again");
      graph.call(calls::incrementAndGet);
      List<Outcome> ends = new ArrayList<>();
      Handler[] again = new Handler[1];
      again[0] =
          status -> {
            ends.add(Outcome.of(status));
            if (ends.size() < 100) {
              graph.start(again[0]);
            }
          };
      assertThat(graph.start(again[0])).isEqualTo(Post.POSTED);
      job.until("all runs", () -> ends.size() == 100);
      assertThat(calls.get()).isEqualTo(100);
      assertThat(ends)
          .hasSize(100)
          .allMatch(end -> end.context() == graph && end.rank() == -1 && end.error() == null);
      assertThat(graph.test()).isTrue();
    }
  }

  @Test
  default void anEmptyGraphFinishesAtOnce() {
    try (Job job = open(2)) {
      CompletionQueue queue = job.rank(0).newCompletionQueue(2);
      Graph graph = job.rank(0).newGraph();
      graph.start(queue);
      assertThat(graph.test()).isTrue();
      assertThat(queue.length()).isEqualTo(1);
    }
  }

  @Test
  default void whatFindsNoRoomIsTriedAgainByProgressOnAnyDevice() {
    try (Job job = open(2)) {
      List<Device> second = job.newDevices();
      for (Device device : List.of(job.rank(0).device(), second.getFirst())) {
        AtomicInteger tries = new AtomicInteger();
        List<String> order = new ArrayList<>();
        Graph graph = job.rank(0).newGraph();
        var stubborn =
            graph.post(
                done -> tries.incrementAndGet() < 10 ? Post.RETRY_QUEUE : posted(order, done));
        graph.call(() -> order.add("after")).after(stubborn);
        graph.call(() -> order.add("beside"));
        graph.start();
        assertThat(stubborn.state()).isEqualTo(Graph.State.RETRYING);
        assertThat(order).containsExactly("beside");
        Await.until("the tenth try", Job.LIMIT, device::progress, graph::test);
        assertThat(tries.get()).isEqualTo(10);
        assertThat(order).containsExactly("beside", "posted", "after");
      }
    }
  }

  /** Completes before the call returns. */
  private static Post posted(List<String> order, Completion done) {
    order.add("posted");
    try (Status status = Status.create()) {
      done.signal(status);
    }
    return Post.POSTED;
  }

  @Test
  default void aThousandMessagesAtOnceAllArrive() {
    try (Job job = open(2)) {
      int[] sizes = {8, 1000, job.rank(0).eagerLimit() + 8};
      Graph sends = job.rank(0).newGraph("sends");
      Graph receives = job.rank(1).newGraph("receives");
      List<MemorySegment> buffers = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        int tag = i;
        int size = sizes[i % 50 == 0 ? 2 : i % 2];
        MemorySegment message = Talk.filled(size, i);
        MemorySegment buffer = Talk.memory(size);
        buffers.add(buffer);
        sends.post(done -> job.rank(0).send(1, message, tag, done));
        var in = receives.post(done -> job.rank(1).recv(0, buffer, tag, done));
        receives.call(() -> Pattern.check("message " + tag, buffer, tag)).after(in);
      }
      for (int run = 0; run < 3; run++) {
        buffers.forEach(buffer -> buffer.fill((byte) 0));
        sends.start();
        receives.start();
        job.until("all messages", () -> receives.test() && sends.test());
      }
    }
  }

  @Test
  default void deepChainsNeedNoStack() {
    try (Job job = open(2)) {
      Graph graph = job.rank(0).newGraph();
      Status status = Status.create();
      long[] count = new long[1];
      Graph.Node last = graph.call(() -> count[0]++);
      for (int i = 1; i < 100_000; i++) {
        last =
            switch (i % 3) {
              case 0 -> graph.call(() -> count[0]++).after(last);
              case 1 -> graph.post(_ -> counted(count, Post.DONE)).after(last);
              default ->
                  graph
                      .post(
                          done -> {
                            done.signal(status);
                            return counted(count, Post.POSTED);
                          })
                      .after(last);
            };
      }
      for (int run = 1; run <= 3; run++) {
        graph.start();
        assertThat(graph.test()).isTrue();
        assertThat(count[0]).isEqualTo(100_000L * run);
      }
    }
  }

  private static Post counted(long[] count, Post answer) {
    count[0]++;
    return answer;
  }

  @Test
  default void aGraphCanBeANodeOfAnother() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(1);
      List<String> order = new ArrayList<>();
      int[] tag = new int[1];
      Graph inner = lacis.newGraph("inner");
      var in = inner.post("in", done -> lacis.recv(0, Talk.memory(8), tag[0], done));
      inner.call(() -> order.add("inner")).after(in);
      Graph outer = lacis.newGraph("outer");
      var before = outer.call(() -> order.add("before"));
      var nested = outer.post("nested", inner).after(before);
      outer.call(() -> order.add("after")).after(nested);
      for (int run = 0; run < 5; run++) {
        order.clear();
        tag[0] = run;
        outer.start();
        job.progressOn();
        assertThat(order).containsExactly("before");
        assertThat(outer.describe()).contains("nested", "inner", "in");
        Talk.send(job, 0, 1, run, 8, 1);
        job.until("the outer graph", outer::test);
        assertThat(order).containsExactly("before", "inner", "after");
        assertThat(inner.test()).isTrue();
      }
    }
  }

  @Test
  default void aGraphIsStartedByASignal() {
    try (Job job = open(2)) {
      AtomicInteger runs = new AtomicInteger();
      Graph graph = job.rank(1).newGraph("triggered");
      graph.call(runs::incrementAndGet);
      job.insist("a receive", () -> job.rank(1).recv(0, Talk.memory(8), 3, graph));
      Talk.send(job, 0, 1, 3, 8, 1);
      job.until("the first run", graph::test);
      RemoteCompletion target = job.rank(1).register(graph);
      job.insist(
          "an active message", () -> job.rank(0).am(1, Talk.memory(8), 0, target, Completion.NONE));
      job.until("the second run", () -> runs.get() == 2 && graph.test());
    }
  }

  @Test
  default void aNodeTellsThoseAfterItWhatCame() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(1);
      List<Outcome> came = new ArrayList<>();
      Graph graph = lacis.newGraph();
      var in =
          graph.post(
              done ->
                  lacis
                      .recv()
                      .buffer(Talk.memory(100))
                      .tag(4)
                      .matching(MatchingPolicy.TAG_ONLY)
                      .post(done));
      graph.call(() -> came.add(Outcome.of(in.status()))).after(in);
      for (int length : new int[] {8, 60}) {
        graph.start();
        MemorySegment message = Talk.filled(length, length);
        job.insist(
            "a send",
            () ->
                job.rank(0)
                    .send()
                    .to(1)
                    .buffer(message)
                    .tag(4)
                    .matching(MatchingPolicy.TAG_ONLY)
                    .post(Completion.NONE));
        job.until("the message", graph::test);
        assertThat(came.getLast().length()).isEqualTo(length);
        assertThat(came.getLast().rank()).isZero();
        Pattern.check("the payload", came.getLast().payload(), length);
      }
    }
  }

  @Test
  default void anyNumberOfThreadsWaitForAGraph() throws InterruptedException {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(1);
      Graph graph = lacis.newGraph();
      graph.post(done -> lacis.recv(0, Talk.memory(8), 1, done));
      graph.start();
      assertThat(graph.await(Duration.ZERO)).isFalse();
      assertThat(graph.await(Duration.ofMillis(20))).isFalse();
      CountDownLatch over = new CountDownLatch(20);
      for (int i = 0; i < 20; i++) {
        (i % 10 == 0 ? Thread.ofPlatform().daemon() : Thread.ofVirtual())
            .start(
                () -> {
                  if (graph.await(Job.LIMIT)) {
                    over.countDown();
                  }
                });
      }
      job.insist("a send", () -> job.rank(0).send(1, Talk.memory(8), 1, Completion.NONE));
      job.until("the graph", graph::test);
      graph.await();
      assertThat(over.await(Job.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }
}
