package org.lacis.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.Graph;
import org.lacis.Post;
import org.lacis.Startable;
import org.lacis.Status;

/**
 * A node of a {@link Dag}, and the completion object of its operation. Whoever takes the count of
 * nodes before it to zero owns it, until it is under way; whoever signals it, from then on.
 */
final class DagNode implements Graph.Node, Completion {

  private static final int WAITING = 0;

  /** Its operation is being posted. */
  private static final int STARTING = 1;

  /** Signalled while it was being posted: whoever posts it goes on. */
  private static final int SIGNALLED = 2;

  /** Posted: whoever signals it goes on. */
  private static final int UNDER_WAY = 3;

  private static final int RETRYING = 4;
  private static final int DONE = 5;
  private static final int FAILED = 6;
  private static final int SKIPPED = 7;

  private static final DagNode[] NONE = {};

  private static final VarHandle BEFORE;
  private static final VarHandle STATE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      BEFORE = lookup.findVarHandle(DagNode.class, "before", int.class);
      STATE = lookup.findVarHandle(DagNode.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Dag graph;
  final int index;
  private final String name;
  private final @Nullable Startable operation;
  private final @Nullable Runnable function;
  private final StatusRecord status = new StatusRecord();

  private DagNode[] successors = NONE;
  private int successorCount;
  private int predecessorCount;

  /** The next one in the list of ready nodes, or of those to be tried again. */
  @Nullable DagNode next;

  /** How many nodes before it have not ended in this run. */
  @SuppressWarnings("unused")
  private int before;

  /** Whether one of them was not done. Written before the count is, and read after. */
  private boolean blocked;

  @SuppressWarnings("unused")
  private int state = WAITING;

  private @Nullable CommunicationException error;

  DagNode(
      Dag graph,
      int index,
      String name,
      @Nullable Startable operation,
      @Nullable Runnable function) {
    this.graph = graph;
    this.index = index;
    this.name = name;
    this.operation = operation;
    this.function = function;
  }

  // ---- building

  @Override
  public Graph.Node after(Graph.Node... others) {
    graph.requireBuilding();
    for (Graph.Node other : others) {
      check(Objects.requireNonNull(other, "node"));
    }
    for (Graph.Node other : others) {
      DagNode o = (DagNode) other;
      if (o.successorCount == o.successors.length) {
        o.successors = Arrays.copyOf(o.successors, Math.max(2, 2 * o.successorCount));
      }
      o.successors[o.successorCount++] = this;
      predecessorCount++;
    }
    return this;
  }

  private void check(Graph.Node other) {
    if (!(other instanceof DagNode o) || o.graph != graph) {
      throw new IllegalArgumentException(
          "node " + other.name() + " belongs to another graph than " + this);
    }
    // Who builds from the first node on, or from the last one back, needs no search.
    if (o == this || (successorCount > 0 && o.predecessorCount > 0)) {
      DagPath.refuse(this, o);
    }
  }

  // ---- running

  /**
   * Prepares it for a run.
   *
   * @param blocking whether no node is to be started
   * @return whether no node comes before it
   */
  boolean reset(boolean blocking) {
    before = predecessorCount;
    blocked = blocking;
    error = null;
    state = WAITING;
    return predecessorCount == 0;
  }

  /**
   * Starts it, by its owner.
   *
   * @return DONE if it has ended in whatever way; POSTED if it is under way, and belongs to
   *     somebody else already; a retry if it has to be started again
   */
  Post start() {
    if (blocked) {
      STATE.setRelease(this, SKIPPED);
      return Post.DONE;
    }
    if (graph.isClosed()) {
      fail(Errors.graphClosed());
      return Post.DONE;
    }
    try {
      STATE.setRelease(this, STARTING);
      Runnable f = function;
      if (f != null) {
        f.run();
        STATE.setRelease(this, DONE);
        return Post.DONE;
      }
      return answered(Objects.requireNonNull(operation).start(this));
    } catch (RuntimeException | Error e) {
      fail(e);
      return Post.DONE;
    }
  }

  private Post answered(Post answer) {
    if (answer == Post.POSTED) {
      if (STATE.compareAndSet(this, STARTING, UNDER_WAY)) {
        return Post.POSTED;
      }
      end();
      return Post.DONE;
    }
    if (Objects.requireNonNull(answer, "the operation's answer").isRetry()) {
      STATE.setRelease(this, RETRYING);
      return answer;
    }
    status.close();
    STATE.setRelease(this, DONE);
    return Post.DONE;
  }

  @Override
  public void signal(Status signalled) {
    int s = (int) STATE.getAcquire(this);
    if (s != STARTING && s != UNDER_WAY) {
      throw new IllegalStateException(
          this
              + " was signalled, but is "
              + publicState(s)
              + ": has it posted two operations with one completion object?");
    }
    ((StatusRecord) signalled).tellTo(status);
    if (s == STARTING && STATE.compareAndSet(this, STARTING, SIGNALLED)) {
      return;
    }
    end();
    graph.ended(this);
  }

  private void end() {
    CommunicationException e = status.error();
    if (e != null) {
      fail(e);
    } else {
      STATE.setRelease(this, DONE);
    }
  }

  /** Ends it with a failure. */
  void fail(Throwable cause) {
    CommunicationException e = Errors.ofNode(this.toString(), cause);
    error = e;
    STATE.setRelease(this, FAILED);
    graph.failed(e);
  }

  /**
   * Tells those that come after it that it has ended.
   *
   * @param last the last of the ready nodes, which are linked in a ring; null if there are none
   * @return the last of them then
   */
  @Nullable DagNode release(@Nullable DagNode last) {
    boolean blocks = state != DONE;
    DagNode[] all = successors;
    int n = successorCount;
    DagNode end = last;
    for (int i = 0; i < n; i++) {
      DagNode s = all[i];
      if (blocks) {
        s.blocked = true;
      }
      // Whoever is the last of them need not write that down.
      if ((int) BEFORE.getAcquire(s) == 1 || (int) BEFORE.getAndAdd(s, -1) == 1) {
        end = s.appendTo(end);
      }
    }
    return end;
  }

  /** Puts it at the end of a ring of ready nodes, of which it is the last then. */
  DagNode appendTo(@Nullable DagNode last) {
    if (last == null) {
      next = this;
    } else {
      next = last.next;
      last.next = this;
    }
    return this;
  }

  // ---- looking at it

  @Override
  public String name() {
    return name;
  }

  @Override
  public Graph.State state() {
    return publicState((int) STATE.getAcquire(this));
  }

  private static Graph.State publicState(int state) {
    return switch (state) {
      case WAITING -> Graph.State.WAITING;
      case RETRYING -> Graph.State.RETRYING;
      case DONE -> Graph.State.DONE;
      case FAILED -> Graph.State.FAILED;
      case SKIPPED -> Graph.State.SKIPPED;
      default -> Graph.State.RUNNING;
    };
  }

  @Override
  public Status status() {
    return status;
  }

  @Override
  public @Nullable CommunicationException error() {
    return state() == Graph.State.FAILED ? error : null;
  }

  /** Those that come after it. */
  List<DagNode> successors() {
    return Arrays.asList(successors).subList(0, successorCount);
  }

  /** Whether it is a function, and no operation. */
  boolean isFunction() {
    return function != null;
  }

  /** The graph it starts; null if it is something else. */
  @Nullable Dag inner() {
    return operation instanceof Dag dag ? dag : null;
  }

  @Override
  public String toString() {
    return "node " + name + " of graph " + graph.name();
  }
}
