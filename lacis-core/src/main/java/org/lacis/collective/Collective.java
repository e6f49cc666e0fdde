package org.lacis.collective;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.Graph;
import org.lacis.Graph.Node;
import org.lacis.Info;
import org.lacis.Post;
import org.lacis.Startable;
import org.lacis.Status;

/**
 * A collective on certain buffers, built once and started any number of times. It runs while
 * somebody makes progress; the buffers belong to it from its start to its end. Every member starts
 * its own, as often as the others.
 *
 * <pre>{@code
 * var sum = collectives.newAllreduce(in, out, Reduction.SUM_DOUBLE);
 * sum.start();
 * // something else
 * sum.await();
 * }</pre>
 *
 * <p>It is {@link Startable}: it can be a node of a graph. One thread at a time starts it; any
 * number test it and wait. Starting and running it allocates nothing.
 *
 * @param <A> the algorithms there are for it
 */
public final class Collective<A extends Algorithm> implements Startable, AutoCloseable {

  private static final Set<Graph.State> NOT_ENDED =
      Set.of(Graph.State.WAITING, Graph.State.RUNNING, Graph.State.RETRYING);

  private final Members members;
  private final Graph graph;
  private final A algorithm;
  private final long bytes;

  /** What its graph was made by, and what that has taken. */
  private final Plan plan;

  /** The last one that was told the end of a run. */
  private @Nullable Ending ending;

  private Collective(Members members, Graph graph, A algorithm, long bytes, Plan plan) {
    this.members = members;
    this.graph = graph;
    this.algorithm = algorithm;
    this.bytes = bytes;
    this.plan = plan;
  }

  static <A extends Algorithm> Collective<A> build(
      Members members, Channel channel, Call call, A algorithm) {
    Graph graph = members.lacis.newGraph(call.name());
    Node first = members.size == 1 ? null : graph.post("gate", channel::begin);
    var plan = new Plan(members, graph, channel::tag, first);
    Choice.write(plan, call, algorithm);
    long bytes = Math.max(call.in().byteSize(), call.out().byteSize());
    var built = new Collective<>(members, graph, algorithm, bytes, plan);
    members.built(built);
    return built;
  }

  /** How it goes about it. */
  public A algorithm() {
    return algorithm;
  }

  /**
   * Starts it: {@link #test} or {@link #await()} tell when it has finished.
   *
   * @throws IllegalStateException if it is running or closed
   * @throws CommunicationException if a member has died, or has failed in a collective of this
   *     group
   */
  public void start() {
    members.requireSound();
    if (RecordedRun.isWanted()) {
      graph.start(recorded(null));
    } else {
      graph.start();
    }
  }

  private RecordedRun recorded(@Nullable Completion done) {
    return RecordedRun.begin(members, graph.name(), algorithm.toString(), bytes, done);
  }

  /**
   * Starts it.
   *
   * @param done signalled when it has finished, perhaps before this call returns; the status has
   *     the first failure as its error, and else rank -1
   * @return {@link Post#POSTED}
   * @throws IllegalStateException if it is running or closed
   * @throws CommunicationException if a member has died, or has failed in a collective of this
   *     group
   */
  @Override
  public Post start(Completion done) {
    members.requireSound();
    Ending end = ending;
    if (end == null || end.done != done) {
      end = new Ending(Objects.requireNonNull(done, "done"));
      ending = end;
    }
    return graph.start(RecordedRun.isWanted() ? recorded(end) : end);
  }

  /**
   * Passes the end of a run on. Kept for the next start with the same completion object, and
   * immutable: that start may come before this one has been told.
   */
  private final class Ending implements Completion {
    final Completion done;

    Ending(Completion done) {
      this.done = done;
    }

    @Override
    public void signal(Status status) {
      CommunicationException error = status.error();
      done.signal(error == null ? status : Status.failure(named(error)));
    }
  }

  /** A failure of the graph as one of the collective: users know nothing of nodes. */
  private CommunicationException named(CommunicationException error) {
    CommunicationException first = error;
    while (first.getCause() instanceof CommunicationException cause) {
      first = cause;
    }
    return new CommunicationException(
        first.kind(), first.rank(), graph.name() + " has failed: " + first.reason(), error);
  }

  /**
   * Looks whether it has finished. Makes no progress by itself.
   *
   * @return false if it is running, or was never started
   * @throws CommunicationException if it has failed: the rank is that of the member that is gone or
   *     has failed first
   */
  public boolean test() {
    try {
      return graph.test();
    } catch (CommunicationException e) {
      throw named(e);
    }
  }

  /**
   * Waits until it has finished, making progress meanwhile. A virtual thread is parked.
   *
   * @throws CommunicationException as for {@link #test}
   */
  public void await() {
    try {
      graph.await();
    } catch (CommunicationException e) {
      throw named(e);
    }
  }

  /**
   * Waits at most so long.
   *
   * @param limit how long to wait
   * @return whether it finished in time
   * @throws CommunicationException as for {@link #test}
   */
  public boolean await(Duration limit) {
    try {
      return graph.await(limit);
    } catch (CommunicationException e) {
      throw named(e);
    }
  }

  /** Its steps at this member, what they come after, and how far they are; a snapshot. */
  public String describe() {
    return graph.describe();
  }

  /** What it is and how it is doing, for people to read. */
  public Info info() {
    Info steps = graph.info();
    return Info.of(
            "collective",
            graph.name(),
            "algorithm",
            algorithm,
            "bytes",
            bytes,
            "member",
            members.me,
            "members",
            members.size)
        .with(steps.values());
  }

  /** Ends it. It should not be running: the other members would wait for this one. */
  @Override
  public void close() {
    plan.close(isQuiet());
  }

  /** Whether all steps have ended, or none has begun. */
  boolean isQuiet() {
    var states = EnumSet.noneOf(Graph.State.class);
    graph.nodes().forEach(node -> states.add(node.state()));
    return states.equals(EnumSet.of(Graph.State.WAITING))
        || Collections.disjoint(states, NOT_ENDED);
  }

  @Override
  public String toString() {
    return "Collective[" + graph.name() + ", " + algorithm + ", member " + members.me + "]";
  }
}
