package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.Device;
import org.lacis.Graph;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.Status;

/**
 * A random graph over all ranks of a job: functions, operations of every answer, and messages
 * between the ranks. Every step checks that those before it are done, and that what they received
 * is there.
 *
 * <p>The two steps of a message come after steps made before both, so that no choice of edges makes
 * them wait for each other.
 */
final class RandomGraph {

  private static final int MOST_EDGES = 3;
  private static final int NEAR = 20;
  private static final double MESSAGES = 0.3;
  private static final double FAILURES = 0.03;
  private static final int TRIES = 3;
  private static final String FAILURE = "thrown by a test";

  private enum Kind {
    FUNCTION,
    DONE,
    SIGNALLED,
    STUBBORN,
    SEND,
    RECEIVE;

    /** The first ones are no message. */
    static final int ALONE = 4;
  }

  private final Job job;
  private final RandomGenerator random;
  private final List<Graph> graphs;

  /** By number and rank. Several, so that messages are completed by several threads at once. */
  private final List<List<Device>> devices;

  private final List<Step> steps = new ArrayList<>();

  /** Sends and receives in pairs. */
  private final List<Step> messages = new ArrayList<>();

  /** Written before a run is started. */
  private int run;

  RandomGraph(Job job, RandomGenerator random, int size) {
    this.job = job;
    this.random = random;
    this.devices = List.of(job.ranks().stream().map(Lacis::device).toList(), job.newDevices());
    this.graphs = job.ranks().stream().map(Lacis::newGraph).toList();
    while (steps.size() < size) {
      if (random.nextDouble() < MESSAGES) {
        addMessage();
      } else {
        Kind kind = Kind.values()[random.nextInt(Kind.ALONE)];
        steps.add(new Step(kind, anyRank(), anyRank(), 0));
      }
    }
  }

  private int anyRank() {
    return random.nextInt(job.size());
  }

  private void addMessage() {
    int longest = job.rank(0).eagerLimit() + 8;
    int size = random.nextInt(10) == 0 ? longest : random.nextBoolean() ? 8 : 200;
    int from = anyRank();
    int to = anyRank();
    Step send = new Step(Kind.SEND, from, to, size);
    Step receive = new Step(Kind.RECEIVE, to, from, size);
    messages.add(send);
    messages.add(receive);
    steps.add(send);
    steps.add(receive);
  }

  /**
   * Starts the next run.
   *
   * @param failing whether some functions shall fail
   */
  void start(boolean failing) {
    run++;
    for (Step step : steps) {
      step.prepare(failing && step.kind == Kind.FUNCTION && random.nextDouble() < FAILURES);
    }
    for (Step step : messages) {
      Pattern.fill(step.buffer, step.kind == Kind.SEND ? step.tag() : -1);
    }
    graphs.forEach(Graph::start);
    for (int i = 0; i < messages.size(); i += 2) {
      standIn(messages.get(i), messages.get(i + 1));
    }
  }

  /** Does the other half of a message of which one half is skipped. */
  private void standIn(Step send, Step receive) {
    if (send.skipped && !receive.skipped) {
      job.insist("a message", () -> send.post(Completion.NONE));
    } else if (receive.skipped && !send.skipped) {
      job.insist("a receive", () -> receive.post(Completion.NONE));
    }
  }

  boolean finished() {
    return graphs.stream().allMatch(RandomGraph::finished);
  }

  private static boolean finished(Graph graph) {
    try {
      return graph.test();
    } catch (CommunicationException e) {
      return true;
    }
  }

  /** Checks how it ended. */
  void check() {
    for (Step step : steps) {
      String what = "run " + run + ": " + step.node + ", a " + step.kind;
      assertThat(step.node.state())
          .as(() -> what + ", error " + step.node.error())
          .isEqualTo(step.expected());
      assertThat(step.starts.get()).as(what).isEqualTo(step.skipped ? 0 : 1);
    }
    for (int rank = 0; rank < graphs.size(); rank++) {
      int at = rank;
      boolean fails =
          steps.stream().anyMatch(s -> s.rank == at && s.expected() == Graph.State.FAILED);
      if (fails) {
        assertThatThrownBy(graphs.get(rank)::test)
            .hasMessageContaining(graphs.get(rank).name())
            .hasRootCauseMessage(FAILURE);
      } else {
        assertThat(graphs.get(rank).test()).isTrue();
      }
    }
  }

  /** A node, and what is expected of it. */
  private final class Step {
    final Kind kind;
    final int rank;
    final int peer;
    final int number = messages.size() / 2;
    final Device device;
    final MemorySegment buffer;
    final List<Step> before = new ArrayList<>();
    final AtomicInteger starts = new AtomicInteger();
    final AtomicInteger tries = new AtomicInteger();
    final Graph.Node node;
    private boolean fails;
    private boolean skipped;

    Step(Kind kind, int rank, int peer, int size) {
      this.kind = kind;
      this.rank = rank;
      this.peer = peer;
      this.device = devices.get(random.nextInt(devices.size())).get(rank);
      this.buffer = Talk.memory(size);
      Graph graph = graphs.get(rank);
      this.node = kind == Kind.FUNCTION ? graph.call(this::call) : graph.post(this::start);
      int edges = steps.isEmpty() ? 0 : random.nextInt(MOST_EDGES + 1);
      for (int i = 0; i < edges; i++) {
        int back =
            random.nextInt(random.nextBoolean() ? Math.min(NEAR, steps.size()) : steps.size());
        Step other = steps.get(steps.size() - 1 - back);
        if (other.rank == rank) {
          node.after(other.node);
          before.add(other);
        }
      }
    }

    int tag() {
      return run * steps.size() + number;
    }

    void prepare(boolean failing) {
      starts.set(0);
      tries.set(0);
      skipped = before.stream().anyMatch(s -> s.expected() != Graph.State.DONE);
      fails = failing;
    }

    Graph.State expected() {
      if (skipped) {
        return Graph.State.SKIPPED;
      }
      return fails ? Graph.State.FAILED : Graph.State.DONE;
    }

    private void call() {
      starts.incrementAndGet();
      checkOrder();
      if (fails) {
        throw new ArithmeticException(FAILURE);
      }
    }

    private Post start(Completion done) {
      checkOrder();
      Post answer = post(done);
      if (!answer.isRetry()) {
        starts.incrementAndGet();
      }
      return answer;
    }

    Post post(Completion done) {
      return switch (kind) {
        case FUNCTION, DONE -> Post.DONE;
        case SIGNALLED -> signalled(done);
        case STUBBORN -> tries.incrementAndGet() < TRIES ? Post.RETRY_LOCK : signalled(done);
        case SEND -> device.send(peer, buffer, tag(), done);
        case RECEIVE -> device.recv(peer, buffer, tag(), done);
      };
    }

    private Post signalled(Completion done) {
      try (Status status = Status.create()) {
        done.signal(status);
      }
      return Post.POSTED;
    }

    private void checkOrder() {
      for (Step step : before) {
        assertThat(step.node.state())
            .as("%s, before %s", step.node, node)
            .isEqualTo(Graph.State.DONE);
        if (step.kind == Kind.RECEIVE) {
          Pattern.check("what " + step.node + " received", step.buffer, step.tag());
        }
      }
    }
  }
}
