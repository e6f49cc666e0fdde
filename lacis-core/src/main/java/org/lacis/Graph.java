package org.lacis;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operations and functions in a partial order, built once and started any number of times. A node
 * is started when all nodes it comes {@linkplain Node#after after} are done.
 *
 * <pre>{@code
 * var graph = lacis.newGraph("relay");
 * var in = graph.post("in", done -> lacis.recv(left, buffer, 7, done));
 * var add = graph.call("add", () -> add(buffer, mine)).after(in);
 * graph.post("out", done -> lacis.send(right, buffer, 7, done)).after(add);
 * graph.start();
 * graph.await();
 * IO.println(in.status().length() + " bytes of rank " + in.status().rank());
 * }</pre>
 *
 * <p>A node that fails is not the end of the others: those that come after it, at once or further
 * on, are skipped, and all others run. So nothing is under way when the graph has finished. The
 * first failure is the graph's own, and its message names the node.
 *
 * <p>Nodes are started by {@link #start} itself, by the thread that completes the last one before
 * them, or by progress: functions should be short and must not wait, as in a {@link Handler}: a
 * wait in one is refused, and fails its node. Buffers of an {@linkplain
 * java.lang.foreign.Arena#ofConfined arena confined} to one thread do if only that thread makes
 * progress.
 *
 * <p>A graph is {@link Startable}, so it can be a node of another. As completion object of an
 * operation, or as a target of active messages, it is started by the signal.
 *
 * <p>One thread at a time builds or starts it; any number complete its nodes, test it and wait.
 * Starting and running it allocates nothing.
 */
public interface Graph extends Startable, Completion, AutoCloseable {

  /** How far a node is. */
  enum State {
    /** Waits for nodes before it, or for the graph to be started. */
    WAITING,
    /** Is under way. */
    RUNNING,
    /** Found no room; progress tries it again. */
    RETRYING,
    /** Is complete. */
    DONE,
    /** Has failed. */
    FAILED,
    /** Was not started, because a node before it was not done. */
    SKIPPED
  }

  /** An operation or function in a graph. */
  interface Node {

    /** The name it was given, or one made of its number. */
    String name();

    /**
     * Says that this node is started only when others are done.
     *
     * @param others nodes of the same graph that come before
     * @return this node
     * @throws IllegalArgumentException if one of them is of another graph, or comes after this one
     * @throws IllegalStateException if the graph is running or closed
     */
    Node after(Node... others);

    /** How far it is in the run under way, or how it ended in the last one; a snapshot. */
    State state();

    /**
     * What its completion was signalled with: the length and sender of a message, for one. For
     * functions and other nodes that come after it, or when the graph has finished; valid until it
     * is started again. Empty if the operation was answered with {@link Post#DONE}.
     */
    Status status();

    /** Why it failed in the last run; null if it did not. */
    @Nullable CommunicationException error();
  }

  /** What it is and how it is doing, for people to read. */
  Info info();

  /** The name it was given, or one made by the runtime. */
  String name();

  /**
   * Adds an operation. If it is answered with a retry, progress tries it again until it is not: a
   * lambda is called again then, in the same run.
   *
   * @param operation is started when the nodes before it are done
   */
  Node post(Startable operation);

  /**
   * Adds an operation with a name.
   *
   * @param name for people; need not be unique
   * @param operation is started when the nodes before it are done
   * @throws IllegalArgumentException if it is a graph that contains this one
   * @throws IllegalStateException if the graph is running or closed
   */
  Node post(String name, Startable operation);

  /**
   * Adds a function.
   *
   * @param function is run when the nodes before it are done
   */
  Node call(Runnable function);

  /**
   * Adds a function with a name.
   *
   * @param name for people; need not be unique
   * @param function is run when the nodes before it are done; an exception is a failure of the node
   * @throws IllegalStateException if the graph is running or closed
   */
  Node call(String name, Runnable function);

  /** The nodes, in the order in which they were added. */
  List<Node> nodes();

  /**
   * Starts it: {@link #test} or {@link #await()} tell when it has finished.
   *
   * @throws IllegalStateException if it is running or closed
   */
  void start();

  /**
   * Starts it.
   *
   * @param done signalled when it has finished, perhaps before this call returns; the status has
   *     the graph as its {@linkplain Status#context context}, rank -1, and the first failure as its
   *     error. The graph can be started again from then on
   * @return {@link Post#POSTED}
   * @throws IllegalStateException if it is running or closed
   */
  @Override
  Post start(Completion done);

  /**
   * Starts it, because what was to come before is complete. A failure is passed on: no node is
   * started then.
   *
   * @throws IllegalStateException if it is running or closed; called by progress, that is logged
   */
  @Override
  void signal(Status status);

  /**
   * Looks whether it has finished. Makes no progress by itself.
   *
   * @return false if it is running, or was never started
   * @throws CommunicationException if it has finished and a node failed; kind, rank and cause are
   *     those of the first failure, or {@link ErrorKind#FUNCTION} if a function has thrown
   */
  boolean test();

  /**
   * Waits until it has finished, making progress meanwhile; if it was never started, until somebody
   * starts it and it has finished. A virtual thread is parked.
   *
   * @throws CommunicationException as for {@link #test}
   * @throws LacisException if the runtime is closed meanwhile
   */
  void await();

  /**
   * Waits at most so long.
   *
   * @param limit how long to wait
   * @return whether it finished in time
   * @throws CommunicationException as for {@link #test}
   */
  boolean await(Duration limit);

  /** Its nodes, what they come after, and how far they are, a line each; a snapshot. */
  String describe();

  /**
   * The same as a picture, in SVG, to be written to a file: what comes first is on top, colours say
   * how far each node is.
   */
  String svg();

  /**
   * Ends it. If it is running, what is under way goes on to its end and nothing more is started; if
   * anything was left, the run fails with {@link ErrorKind#CLOSED}. Closing twice does nothing.
   */
  @Override
  void close();
}
