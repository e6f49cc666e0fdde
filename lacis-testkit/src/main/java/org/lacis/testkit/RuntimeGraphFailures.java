package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.ErrorKind;
import org.lacis.Graph;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.Status;

/** Completion graphs whose nodes fail, that are closed too early, or used wrongly. */
interface RuntimeGraphFailures extends RuntimeSuite {

  /** Waits for the end of a graph that fails, and returns why. */
  private static CommunicationException failure(Job job, Graph graph) {
    CommunicationException[] failure = new CommunicationException[1];
    job.until(
        "the failure of " + graph,
        () -> {
          try {
            assertThat(graph.test()).as("a graph that should fail has finished").isFalse();
            return false;
          } catch (CommunicationException e) {
            failure[0] = e;
            return true;
          }
        });
    assertThatThrownBy(() -> graph.await(Job.LIMIT)).isSameAs(failure[0]);
    return failure[0];
  }

  @Test
  default void whatComesAfterAFailureIsSkippedAndAllElseRuns() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(1);
      int[] room = {4};
      List<String> ran = new ArrayList<>();
      Graph graph = lacis.newGraph("mixed");
      var shortReceive = graph.post("short", done -> lacis.recv(0, Talk.memory(room[0]), 5, done));
      var longReceive = graph.post("long", done -> lacis.recv(0, Talk.memory(100), 6, done));
      var next = graph.call("next", () -> ran.add("next")).after(shortReceive);
      var join = graph.call("join", () -> ran.add("join")).after(longReceive, next);
      var beside = graph.call("beside", () -> ran.add("beside")).after(longReceive);
      for (int run = 0; run < 4; run++) {
        boolean fails = run % 2 == 0;
        room[0] = fails ? 4 : 8;
        ran.clear();
        Witness end = Witness.handler();
        graph.start(end.completion());
        Talk.send(job, 0, 1, 5, 8, 1);
        job.until("the short receive", () -> shortReceive.state() != Graph.State.RUNNING);
        assertThat(end.heard()).as("one node is still under way").isFalse();
        Talk.send(job, 0, 1, 6, 8, 1);
        job.until("the end", end::heard);
        if (!fails) {
          assertThat(graph.test()).isTrue();
          assertThat(graph.nodes()).allMatch(node -> node.state() == Graph.State.DONE);
          assertThat(shortReceive.error()).isNull();
          continue;
        }
        CommunicationException e = failure(job, graph);
        assertThat(e).hasMessageContaining("node short of graph mixed has failed");
        assertThat(e.kind()).isEqualTo(ErrorKind.TRUNCATED);
        assertThat(e.rank()).isZero();
        assertThat(end.told().error()).isSameAs(e);
        assertThat(shortReceive.error()).isSameAs(e);
        assertThat(ran).containsExactly("beside");
        assertThat(next.state()).isEqualTo(Graph.State.SKIPPED);
        assertThat(join.state()).isEqualTo(Graph.State.SKIPPED);
        assertThat(beside.state()).isEqualTo(Graph.State.DONE);
        assertThat(graph.describe()).contains("failed: node short", "skipped, after long, next");
      }
    }
  }

  @Test
  default void whatAFunctionOrPostThrowsFailsItsNode() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      List<Runnable> wrong =
          List.of(
              () -> {
                throw new ArithmeticException("thrown by a test");
              },
              () -> {
                throw new AssertionError("thrown by a test");
              },
              () -> lacis.send(-1, Talk.memory(8), 0, Completion.NONE));
      for (Runnable function : wrong) {
        for (boolean post : new boolean[] {false, true}) {
          Graph graph = lacis.newGraph();
          if (post) {
            graph.post(
                "wrong",
                _ -> {
                  function.run();
                  return Post.DONE;
                });
          } else {
            graph.call("wrong", function);
          }
          graph.start();
          CommunicationException e = failure(job, graph);
          assertThat(e.kind()).isEqualTo(ErrorKind.FUNCTION);
          assertThat(e.rank()).isEqualTo(-1);
          assertThat(e).hasMessageContaining("node wrong of graph #").cause().isNotNull();
        }
      }
    }
  }

  @Test
  default void aFailureInsideANestedGraphIsNamedByBoth() {
    try (Job job = open(2)) {
      Graph inner = job.rank(0).newGraph("inner");
      inner.call(
          "bad",
          () -> {
            throw new ArithmeticException("thrown by a test");
          });
      Graph outer = job.rank(0).newGraph("outer");
      outer.call("not run", () -> {}).after(outer.post("nested", inner));
      outer.start();
      assertThat(failure(job, outer))
          .hasMessageContaining("node nested of graph outer")
          .hasMessageContaining("node bad of graph inner")
          .hasRootCauseMessage("thrown by a test");
      assertThat(outer.nodes().getFirst().state()).isEqualTo(Graph.State.SKIPPED);
    }
  }

  @Test
  default void aGraphIsNotStartedByAFailure() {
    try (Job job = open(2)) {
      Graph graph = job.rank(1).newGraph("after");
      var node = graph.call(() -> {});
      job.insist("a receive", () -> job.rank(1).recv(0, Talk.memory(4), 5, graph));
      Talk.send(job, 0, 1, 5, 8, 1);
      CommunicationException e = failure(job, graph);
      assertThat(e).hasMessageContaining("graph after was not started");
      assertThat(e.kind()).isEqualTo(ErrorKind.TRUNCATED);
      assertThat(node.state()).isEqualTo(Graph.State.SKIPPED);
    }
  }

  @Test
  default void aGraphEndsWhenAPeerIsGone() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      Graph graph = lacis.newGraph();
      var in = graph.post("in", done -> lacis.recv(1, Talk.memory(8), 0, done));
      graph.post("out", done -> lacis.send(1, Talk.memory(8), 0, done)).after(in);
      graph.start();
      job.progressOn();
      job.close(1);
      for (int run = 0; run < 2; run++) {
        CommunicationException e = failure(job, graph);
        assertThat(e.kind()).isEqualTo(ErrorKind.PEER_GONE);
        assertThat(e.rank()).isEqualTo(1);
        graph.start();
      }
    }
  }

  @Test
  default void aGraphEndsWithItsRuntime() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      Graph posted = lacis.newGraph();
      var in = posted.post(done -> lacis.recv(1, Talk.memory(8), 0, done));
      posted.call(() -> {}).after(in);
      Graph waiting = lacis.newGraph();
      waiting.post(_ -> Post.RETRY_MEMORY);
      Witness end = Witness.handler();
      posted.start(end.completion());
      waiting.start();
      job.progressOn();
      job.close(0);
      assertThat(end.told().kind()).isEqualTo(ErrorKind.CLOSED);
      assertThat(failure(job, posted).kind()).isEqualTo(ErrorKind.CLOSED);
      assertThat(failure(job, waiting).kind()).isEqualTo(ErrorKind.CLOSED);
      waiting.start();
      assertThat(failure(job, waiting).kind()).isEqualTo(ErrorKind.CLOSED);
    }
  }

  @Test
  default void aGraphThatIsClosedStartsNothingMore() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(1);
      Graph graph = lacis.newGraph("closed");
      var in = graph.post("in", done -> lacis.recv(0, Talk.memory(8), 5, done));
      var never = graph.call("never", () -> {}).after(in);
      Witness end = Witness.handler();
      graph.start(end.completion());
      job.progressOn();
      graph.close();
      graph.close();
      assertThat(graph.test()).as("it is still running").isFalse();
      assertThat(end.heard()).isFalse();
      Talk.send(job, 0, 1, 5, 8, 1);
      job.until("the end", end::heard);
      assertThat(end.told().kind()).isEqualTo(ErrorKind.CLOSED);
      assertThat(in.state()).isEqualTo(Graph.State.DONE);
      assertThat(never.state()).isEqualTo(Graph.State.FAILED);
      List<ThrowingCallable> calls =
          List.of(
              graph::start,
              () -> graph.start(Completion.NONE),
              graph::test,
              graph::await,
              () -> graph.call(() -> {}),
              () -> graph.post(_ -> Post.DONE),
              () -> never.after(in));
      for (ThrowingCallable call : calls) {
        assertThatThrownBy(call)
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("graph closed is closed");
      }
      assertThat(graph.describe()).contains("closed");
    }
  }

  @Test
  default void mistakesAreRefusedAtTheCall() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(1);
      Graph graph = lacis.newGraph("g");
      var a = graph.post("a", done -> lacis.recv(0, Talk.memory(8), 5, done));
      var b = graph.call("b", () -> {}).after(a);
      var c = graph.call("c", () -> {}).after(b);
      Graph other = lacis.newGraph("other");
      other.post(graph);
      Graph outermost = lacis.newGraph("outermost");
      outermost.post(other);
      var stranger = other.call("stranger", () -> {});
      List<ThrowingCallable> wrong =
          List.of(
              () -> a.after(a),
              () -> a.after(c),
              () -> c.after(b, stranger),
              () -> graph.post(graph),
              () -> graph.post(outermost));
      List<String> said =
          List.of(
              "node a of graph g cannot come after node a, which comes after it: a",
              "node a of graph g cannot come after node c, which comes after it: a → b → c",
              "node stranger belongs to another graph than node c of graph g",
              "graph g cannot be a node of graph g, which is inside it",
              "graph outermost cannot be a node of graph g, which is inside it");
      for (int i = 0; i < wrong.size(); i++) {
        assertThatThrownBy(wrong.get(i))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage(said.get(i));
      }
      graph.start();
      List<ThrowingCallable> tooLate =
          List.of(graph::start, () -> graph.call(() -> {}), () -> c.after(a));
      for (ThrowingCallable call : tooLate) {
        assertThatThrownBy(call)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("graph g is running");
      }
      Talk.send(job, 0, 1, 5, 8, 1);
      job.until("the graph", graph::test);
      assertThat(graph.nodes()).hasSize(3);
      c.after(a);
      graph.start();
      Talk.send(job, 0, 1, 5, 8, 1);
      job.until("the graph with one more edge", graph::test);
    }
  }

  @Test
  default void aSecondSignalIsLoggedAndDoesNoHarm() {
    try (Job job = open(2)) {
      Completion[] kept = new Completion[1];
      Graph graph = job.rank(0).newGraph("g");
      graph.post(
          "twice",
          done -> {
            kept[0] = done;
            return Post.POSTED;
          });
      for (int run = 0; run < 3; run++) {
        graph.start();
        assertThat(graph.test()).isFalse();
        Completion done = Objects.requireNonNull(kept[0]);
        done.signal(Status.create());
        assertThat(graph.test()).isTrue();
        assertThatThrownBy(() -> done.signal(Status.create()))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("node twice of graph g was signalled, but is DONE");
      }
    }
  }
}
