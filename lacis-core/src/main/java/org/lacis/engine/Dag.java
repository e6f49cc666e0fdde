package org.lacis.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.Graph;
import org.lacis.Info;
import org.lacis.Post;
import org.lacis.Startable;
import org.lacis.Status;

/**
 * The completion graph. A thread that ends a node counts down those after it and starts the ones
 * that are ready, one after the other from a list of its own: no stack grows with the graph, and
 * threads that end different nodes do not wait for each other.
 */
final class Dag implements Graph, Waiting.Condition {

  private static final VarHandle STARTED;
  private static final VarHandle REMAINING;
  private static final VarHandle FAILURE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STARTED = lookup.findVarHandle(Dag.class, "started", long.class);
      REMAINING = lookup.findVarHandle(Dag.class, "remaining", int.class);
      FAILURE = lookup.findVarHandle(Dag.class, "failure", CommunicationException.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Engine engine;
  private final Nesting nesting;
  private final CoarseClock clock;
  private final String name;
  private final List<DagNode> nodes = new ArrayList<>();
  private final Waiters waiters = new Waiters();

  /** Runs so far. It is running while one more was started than has finished. */
  private volatile long started;

  private volatile long finished;
  private volatile boolean closed;

  /** Nodes of this run that have not ended, or whose end the thread has not counted yet. */
  @SuppressWarnings("unused")
  private int remaining;

  /** When the last run was started, by the coarse clock. */
  private long since;

  private @Nullable Completion done;
  private volatile @Nullable CommunicationException failure;

  Dag(Engine engine, Nesting nesting, CoarseClock clock, String name) {
    this.engine = engine;
    this.nesting = nesting;
    this.clock = clock;
    this.name = Objects.requireNonNull(name, "name");
  }

  // ---- building

  @Override
  public String name() {
    return name;
  }

  @Override
  public Node post(Startable operation) {
    return post("#" + nodes.size(), operation);
  }

  @Override
  public Node post(String title, Startable operation) {
    if (Objects.requireNonNull(operation, "operation") instanceof Dag inner
        && inner.contains(this)) {
      throw new IllegalArgumentException(
          "graph " + inner.name + " cannot be a node of graph " + name + ", which is inside it");
    }
    return add(title, operation, null);
  }

  @Override
  public Node call(Runnable function) {
    return call("#" + nodes.size(), function);
  }

  @Override
  public Node call(String title, Runnable function) {
    return add(title, null, Objects.requireNonNull(function, "function"));
  }

  private Node add(String title, @Nullable Startable operation, @Nullable Runnable function) {
    requireBuilding();
    DagNode node =
        new DagNode(this, nodes.size(), Objects.requireNonNull(title, "name"), operation, function);
    nodes.add(node);
    return node;
  }

  private boolean contains(Dag other) {
    return this == other
        || nodes.stream()
            .map(DagNode::inner)
            .anyMatch(inner -> inner != null && inner.contains(other));
  }

  void requireBuilding() {
    requireOpen();
    if (isRunning()) {
      throw new IllegalStateException(
          "graph " + name + " is running: nodes and edges are added before, or when it finished");
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("graph " + name + " is closed");
    }
  }

  boolean isClosed() {
    return closed;
  }

  boolean isRunning() {
    return finished != started;
  }

  // ---- running

  @Override
  public void start() {
    begin(null, null);
  }

  @Override
  public Post start(Completion end) {
    begin(Objects.requireNonNull(end, "done"), null);
    return Post.POSTED;
  }

  @Override
  public void signal(Status status) {
    CommunicationException error = status.error();
    begin(null, error == null ? null : Errors.notStarted(name, error));
  }

  private void begin(@Nullable Completion end, @Nullable CommunicationException refused) {
    requireOpen();
    long before = finished;
    if (!STARTED.compareAndSet(this, before, before + 1)) {
      throw new IllegalStateException(
          "graph " + name + " is running: it can be started again when it has finished");
    }
    done = end;
    if (failure != refused) {
      failure = refused;
    }
    since = clock.now();
    int n = nodes.size();
    remaining = n;
    DagNode last = null;
    for (int i = 0; i < n; i++) {
      DagNode node = nodes.get(i);
      if (node.reset(refused != null)) {
        last = node.appendTo(last);
      }
    }
    if (n == 0) {
      finish();
    } else {
      run(last, 0);
    }
  }

  /** A node that was under way has ended. */
  void ended(DagNode node) {
    run(node.release(null), 1);
  }

  /**
   * Tries a node again that found no room.
   *
   * @return how many nodes went on by that
   */
  int retry(DagNode node) {
    return run(node.appendTo(null), 0);
  }

  /** Gives a node up that found no room before the runtime was closed. */
  void giveUp(DagNode node) {
    node.fail(Errors.closed(-1));
    ended(node);
  }

  /**
   * Starts what is ready, and what becomes so by that.
   *
   * @param ready the last node of a ring of them; null if there are none
   * @param already how many nodes have ended that are not counted yet
   * @return how many nodes found room
   */
  private int run(@Nullable DagNode ready, int already) {
    if (ready == null) {
      endIfLast(already);
      return 0;
    }
    int ended = already;
    int went = 0;
    DagNode last = ready;
    int[] depth = nesting.enterGraph();
    try {
      while (last != null) {
        DagNode node = Objects.requireNonNull(last.next);
        if (node == last) {
          last = null;
        } else {
          last.next = node.next;
        }
        Post answer = node.start();
        if (answer == Post.DONE) {
          ended++;
          last = node.release(last);
        } else if (answer != Post.POSTED) {
          engine.retries.push(node);
          continue;
        }
        went++;
      }
    } finally {
      Nesting.leaveGraph(depth);
    }
    endIfLast(ended);
    return went;
  }

  /** Counts nodes. Until then the graph has not finished, so nobody starts it again meanwhile. */
  private void endIfLast(int ended) {
    if (ended > 0 && isLast(ended)) {
      finish();
    }
  }

  /** Counts nodes that have ended. Whoever finds no others left need not write that down. */
  private boolean isLast(int ended) {
    return (int) REMAINING.getAcquire(this) == ended
        || (int) REMAINING.getAndAdd(this, -ended) == ended;
  }

  private void finish() {
    Completion end = done;
    CommunicationException error = failure;
    finished = started;
    // It may be running again by now.
    waiters.wake();
    if (end != null) {
      engine.defaultDevice().signalEnd(end, this, error);
    }
  }

  void failed(CommunicationException error) {
    FAILURE.compareAndSet(this, null, error);
  }

  // ---- waiting

  @Override
  public boolean test() {
    if (isRunning()) {
      return false;
    }
    requireOpen();
    return finished > 0 && succeeded();
  }

  private boolean succeeded() {
    CommunicationException error = failure;
    if (error != null) {
      throw error;
    }
    return true;
  }

  @Override
  public void await() {
    await(Waiting.FOREVER);
  }

  @Override
  public boolean await(Duration limit) {
    return await(Waiting.nanos(limit));
  }

  private boolean await(long nanos) {
    if (!isRunning()) {
      requireOpen();
    }
    long run = Math.max(1, started);
    if (!engine.waiting().await(this, run, waiters, nanos)) {
      return false;
    }
    if (finished < run) {
      requireOpen();
    }
    return succeeded();
  }

  @Override
  public boolean met(long target) {
    return finished >= target || (closed && !isRunning());
  }

  // ---- looking at it

  @Override
  public List<Node> nodes() {
    return Collections.unmodifiableList(nodes);
  }

  long since() {
    return since;
  }

  /** The nodes as they are inside. */
  List<DagNode> dagNodes() {
    return nodes;
  }

  /** How far it is, in words. */
  String progressText() {
    if (closed) {
      return "closed";
    }
    return started == 0
        ? "not started"
        : "run " + started + (isRunning() ? " is under way" : " has finished");
  }

  @Override
  public Info info() {
    return Info.of(
        "graph",
        name,
        "nodes",
        nodes.size(),
        "closed",
        closed,
        "runs",
        started,
        "running",
        isRunning());
  }

  @Override
  public String describe() {
    return DagText.of(this);
  }

  @Override
  public String svg() {
    return DagPicture.of(this);
  }

  @Override
  public void close() {
    closed = true;
    waiters.wake();
  }

  @Override
  public String toString() {
    return "Graph[" + name + ", " + nodes.size() + " nodes, " + progressText() + "]";
  }
}
