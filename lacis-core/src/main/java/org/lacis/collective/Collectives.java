package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.ErrorKind;
import org.lacis.Info;
import org.lacis.Lacis;

/**
 * The collectives of a group of ranks.
 *
 * <pre>{@code
 * try (var collectives = Collectives.of(lacis)) {
 *   collectives.allreduce(numbers, Reduction.SUM_LONG);        // waits
 *   var sum = collectives.newAllreduce(in, out, Reduction.SUM_DOUBLE);
 *   sum.start();                                               // as often as you like
 *   sum.await();
 * }
 * }</pre>
 *
 * <p>Each operation is there twice. The one with a name such as {@code newAllreduce} builds an
 * object to be started, which may run beside any others. The other one does it at once, and waits;
 * it keeps what it has built for the next call with the same arguments.
 *
 * <p>There is no object for {@link #exchange}, which tells all members of a region each.
 *
 * <p><b>Order.</b> Members build the same objects in the same order: that is how the messages of
 * one are told from those of another. In which order they start them does not matter, but each
 * member starts each as often as the others. Members make the same blocking calls in the same
 * order, one at a time. Members whose messages meet in different operations, or with lengths that
 * do not agree, are told ({@link ErrorKind#MISMATCH}); those that wait for different members are
 * not. To use collectives in several threads give each thread {@code Collectives} of its own,
 * perhaps on a device of its own.
 *
 * <p><b>Buffers</b> are of any kind and alignment, and as long at every member as the operation
 * says. {@code in} and {@code out} may be the same memory, but not overlap in another way. If
 * several threads make progress, buffers must not be confined to one.
 *
 * <p><b>Failures.</b> If a member dies, or fails in a collective, all that are under way in the
 * group fail, at every member, with a {@link CommunicationException} that has its rank, or that of
 * a member that has given up because of it ({@link ErrorKind#CLOSED}); none can be started any
 * more. A member that has done its part in all of them may close its runtime: it is missed, in the
 * same way, by the next collective that needs it.
 */
public final class Collectives extends BlockingCollectives {

  private final CollectiveOptions options;
  private final Recent recent = new Recent();
  private final Channel blocking;
  private long nextTag = Members.NOTICE_TAG + 1;

  /**
   * Makes the collectives of a group.
   *
   * <p>All ranks of the job do so in the same order, also those that are not members, because a
   * matching engine is allocated; with {@link CollectiveOptions#withMatching} only the members.
   *
   * @param lacis the runtime
   * @param group who takes part, the same list at every rank
   * @param options what they use
   */
  public static Collectives of(Lacis lacis, Group group, CollectiveOptions options) {
    return new Collectives(lacis, group, options);
  }

  private Collectives(Lacis lacis, Group group, CollectiveOptions options) {
    super(new Members(lacis, group, options));
    this.options = options;
    this.blocking = newChannel(Choice.mostSteps(members.size));
  }

  /**
   * The collectives of a group, with the usual options. All ranks of the job make them, also those
   * that are not members.
   *
   * @param lacis the runtime
   * @param group who takes part, the same list at every rank
   */
  public static Collectives of(Lacis lacis, Group group) {
    return of(lacis, group, CollectiveOptions.defaults());
  }

  /**
   * The collectives of all ranks, with the usual options. A matching engine is allocated, as by
   * {@link Lacis#newMatchingEngine}: in the same order at every rank.
   */
  public static Collectives of(Lacis lacis) {
    return of(lacis, Group.all(lacis));
  }

  /** Who takes part. */
  public Group group() {
    return members.group;
  }

  /** How many take part. */
  public int size() {
    return members.size;
  }

  /** Which member this rank is; -1 if it is none. */
  public int member() {
    return members.me;
  }

  /** What they are and how they are doing, for people to read. */
  public Info info() {
    return Info.of(
        "collectives",
        members.group.toString(),
        "member",
        members.me,
        "members",
        members.size,
        "device",
        members.device.info().name(),
        "matching engine",
        members.engine.info().name(),
        "broken",
        members.broken());
  }

  /** A barrier: it has finished when every member has started it. */
  public Collective<Algorithm.Barrier> newBarrier() {
    return build(Algorithm.Barrier.class, Call.barrier(members));
  }

  /**
   * Copies the buffer of the root to that of every member.
   *
   * @param buffer of the same length at every member
   * @param root the member that has the data
   */
  public Collective<Algorithm.Broadcast> newBroadcast(MemorySegment buffer, int root) {
    return build(Algorithm.Broadcast.class, Call.broadcast(members, buffer, root));
  }

  /**
   * Combines the data of all members at the root.
   *
   * @param in the data of this member, of the same length at every member
   * @param out at the root, where the result goes: as long as {@code in}, perhaps the same;
   *     elsewhere it is not looked at
   * @param reduction how
   * @param root the member that gets the result
   */
  public Collective<Algorithm.Reduce> newReduce(
      MemorySegment in, MemorySegment out, Reduction reduction, int root) {
    return build(Algorithm.Reduce.class, Call.reduce(members, in, out, reduction, root));
  }

  /**
   * Combines the buffers of all members, at all members, in place.
   *
   * @param buffer the data of this member, and then the result; of the same length at every member
   * @param reduction how
   */
  public Collective<Algorithm.Allreduce> newAllreduce(MemorySegment buffer, Reduction reduction) {
    return newAllreduce(buffer, buffer, reduction);
  }

  /**
   * Combines the data of all members, at all members.
   *
   * @param in the data of this member, of the same length at every member
   * @param out where the result goes: as long as {@code in}, perhaps the same
   * @param reduction how
   */
  public Collective<Algorithm.Allreduce> newAllreduce(
      MemorySegment in, MemorySegment out, Reduction reduction) {
    return build(Algorithm.Allreduce.class, Call.allreduce(members, in, out, reduction));
  }

  /**
   * Collects a block of every member at the root.
   *
   * @param in the block of this member, of the same length at every member
   * @param out at the root, where the blocks go, in the order of the members; elsewhere it is not
   *     looked at. The root's own block may be in its place already
   * @param root the member that gets them
   */
  public Collective<Algorithm.Gather> newGather(MemorySegment in, MemorySegment out, int root) {
    return build(Algorithm.Gather.class, Call.gather(members, in, out, null, root));
  }

  /**
   * Collects a block of every member, of any length, at the root.
   *
   * @param in the block of this member
   * @param out at the root, where the blocks go; elsewhere it is not looked at
   * @param blocks where in it; the same at every member
   * @param root the member that gets them
   */
  public Collective<Algorithm.Gather> newGather(
      MemorySegment in, MemorySegment out, Blocks blocks, int root) {
    return build(Algorithm.Gather.class, Call.gather(members, in, out, blocks, root));
  }

  /**
   * Deals out blocks of the root.
   *
   * @param in at the root, the blocks, in the order of the members; elsewhere it is not looked at
   * @param out where the block of this member goes, of the same length at every member
   * @param root the member that has them
   */
  public Collective<Algorithm.Scatter> newScatter(MemorySegment in, MemorySegment out, int root) {
    return build(Algorithm.Scatter.class, Call.scatter(members, in, null, out, root));
  }

  /**
   * Deals out blocks of any length.
   *
   * @param in at the root, the blocks; elsewhere it is not looked at
   * @param blocks where in it they are; the same at every member
   * @param out where the block of this member goes
   * @param root the member that has them
   */
  public Collective<Algorithm.Scatter> newScatter(
      MemorySegment in, Blocks blocks, MemorySegment out, int root) {
    return build(Algorithm.Scatter.class, Call.scatter(members, in, blocks, out, root));
  }

  /**
   * Collects a block of every member at every member.
   *
   * @param in the block of this member, of the same length at every member; perhaps its place in
   *     {@code out}
   * @param out where the blocks go, in the order of the members
   */
  public Collective<Algorithm.Allgather> newAllgather(MemorySegment in, MemorySegment out) {
    return build(Algorithm.Allgather.class, Call.allgather(members, in, out, null));
  }

  /**
   * Collects a block of every member, of any length, at every member.
   *
   * @param in the block of this member; perhaps its place in {@code out}
   * @param out where the blocks go
   * @param blocks where in it; of the same lengths at every member
   */
  public Collective<Algorithm.Allgather> newAllgather(
      MemorySegment in, MemorySegment out, Blocks blocks) {
    return build(Algorithm.Allgather.class, Call.allgather(members, in, out, blocks));
  }

  /**
   * Gives every member a block of every other.
   *
   * @param in a block for each member, in their order, all of one length
   * @param out where those of the others go, in their order; perhaps the same as {@code in}
   */
  public Collective<Algorithm.Alltoall> newAlltoall(MemorySegment in, MemorySegment out) {
    return build(Algorithm.Alltoall.class, Call.alltoall(members, in, out));
  }

  /**
   * Gives every member a block of every other, of any length.
   *
   * @param in a block for each member
   * @param sent where in it they are
   * @param out where those of the others go; perhaps the same as {@code in}
   * @param received where in it; each as long as the other one says in {@code sent}
   */
  public Collective<Algorithm.Alltoall> newAlltoall(
      MemorySegment in, Blocks sent, MemorySegment out, Blocks received) {
    return build(Algorithm.Alltoall.class, Call.alltoall(members, in, sent, out, received));
  }

  /**
   * Combines the data of all members, and gives each a block of the result.
   *
   * @param in the data of this member: a block for each, in their order, all of one length
   * @param out where the block of this member goes; perhaps its place in {@code in}
   * @param reduction how
   */
  public Collective<Algorithm.ReduceScatter> newReduceScatter(
      MemorySegment in, MemorySegment out, Reduction reduction) {
    return build(
        Algorithm.ReduceScatter.class, Call.reduceScatter(members, in, null, out, reduction));
  }

  /**
   * Combines the data of all members, and gives each a block of the result, of any length.
   *
   * @param in the data of this member: a block for each
   * @param blocks where in it; of the same lengths at every member
   * @param out where the block of this member goes; perhaps its place in {@code in}
   * @param reduction how
   */
  public Collective<Algorithm.ReduceScatter> newReduceScatter(
      MemorySegment in, Blocks blocks, MemorySegment out, Reduction reduction) {
    return build(
        Algorithm.ReduceScatter.class, Call.reduceScatter(members, in, blocks, out, reduction));
  }

  /**
   * Combines the data of the members up to each: member 2 gets that of members 0, 1 and 2.
   *
   * @param in the data of this member, of the same length at every member
   * @param out where the result goes: as long as {@code in}, perhaps the same
   * @param reduction how
   */
  public Collective<Algorithm.Scan> newScan(
      MemorySegment in, MemorySegment out, Reduction reduction) {
    return build(Algorithm.Scan.class, Call.scan(members, in, out, reduction, false));
  }

  /**
   * Combines the data of the members before each: member 2 gets that of members 0 and 1.
   *
   * @param in the data of this member, of the same length at every member
   * @param out where the result goes: as long as {@code in}, perhaps the same; at member 0 it is
   *     left as it was
   * @param reduction how
   */
  public Collective<Algorithm.Scan> newExclusiveScan(
      MemorySegment in, MemorySegment out, Reduction reduction) {
    return build(Algorithm.Scan.class, Call.scan(members, in, out, reduction, true));
  }

  /**
   * Ends them. What is still under way fails, here and at the other members, which are told. A
   * member that has not begun a collective which others are in is missed by those who need it when
   * its runtime is closed.
   */
  @Override
  public void close() {
    members.close();
  }

  @Override
  public String toString() {
    return "Collectives[member " + members.me + " of " + members.group + "]";
  }

  @Override
  void run(Call call) {
    Collective<?> collective = recent.find(call);
    if (collective == null) {
      collective = build(call.kind(), call, blocking);
      recent.keep(call, collective);
    }
    collective.start();
    collective.await();
  }

  private <A extends Algorithm> Collective<A> build(Class<A> kind, Call call) {
    A algorithm = choose(kind, call);
    Channel channel = newChannel(Choice.steps(algorithm, members.size));
    return Collective.build(members, channel, call, algorithm);
  }

  private <A extends Algorithm> Collective<A> build(Class<A> kind, Call call, Channel channel) {
    return Collective.build(members, channel, call, choose(kind, call));
  }

  private <A extends Algorithm> A choose(Class<A> kind, Call call) {
    @Nullable Algorithm forced = options.algorithms().get(kind);
    return kind.cast(Choice.of(call, members, forced));
  }

  private Channel newChannel(int steps) {
    long base = nextTag;
    nextTag += Channel.tags(steps);
    if (nextTag > Lacis.MAX_TAG >> Kinds.BITS) {
      throw new IllegalStateException(
          "there are no tags left: build fewer objects and start them again, or make other"
              + " Collectives");
    }
    return new Channel(members, (int) base, steps);
  }
}
