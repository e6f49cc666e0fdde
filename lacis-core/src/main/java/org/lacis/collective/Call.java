package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a user has asked for, checked.
 *
 * @param kind the operation, by the class of its algorithms
 * @param in the data of this member
 * @param out where the result goes; nothing if this member gets none
 * @param reduction how data is combined; null if it is not
 * @param root the member that is special; 0 if there is none
 * @param block how long blocks are if they are of one length, in bytes
 * @param blocks where the blocks are if they are not; null if they are of one length
 * @param received where the blocks of the result are if both sides have some
 * @param exclusive whether a scan leaves out this member
 */
record Call(
    Class<? extends Algorithm> kind,
    MemorySegment in,
    MemorySegment out,
    @Nullable Reduction reduction,
    int root,
    long block,
    @Nullable Blocks blocks,
    @Nullable Blocks received,
    boolean exclusive) {

  private static final MemorySegment NOTHING = MemorySegment.NULL;

  private static Call of(
      Class<? extends Algorithm> kind,
      MemorySegment in,
      MemorySegment out,
      @Nullable Reduction reduction,
      int root) {
    return new Call(kind, in, out, reduction, root, 0, null, null, false);
  }

  private Call withBlocks(long length, @Nullable Blocks other) {
    return new Call(kind, in, out, reduction, root, length, other, null, false);
  }

  static Call barrier(Members members) {
    members.requireSound();
    return of(Algorithm.Barrier.class, NOTHING, NOTHING, null, 0);
  }

  static Call broadcast(Members members, MemorySegment buffer, int root) {
    Checks.root(members, root);
    Checks.usable("buffer", buffer);
    if (members.me != root) {
      Checks.writable("buffer", buffer);
    }
    return of(Algorithm.Broadcast.class, buffer, buffer, null, root);
  }

  static Call reduce(
      Members members, MemorySegment in, MemorySegment out, Reduction reduction, int root) {
    Checks.root(members, root);
    Checks.usable("in", in);
    Checks.elements("in", in.byteSize(), reduction);
    if (members.me == root) {
      Checks.usable("out", out);
      Checks.result(in, out);
    }
    return of(Algorithm.Reduce.class, in, members.me == root ? out : NOTHING, reduction, root);
  }

  static Call allreduce(Members members, MemorySegment in, MemorySegment out, Reduction reduction) {
    members.requireSound();
    Checks.usable(in, out);
    Checks.elements("in", in.byteSize(), reduction);
    Checks.result(in, out);
    return of(Algorithm.Allreduce.class, in, out, reduction, 0);
  }

  static Call gather(
      Members members, MemorySegment in, MemorySegment out, @Nullable Blocks blocks, int root) {
    Checks.root(members, root);
    Checks.usable("in", in);
    if (members.me == root) {
      Checks.usable("out", out);
      Checks.blocks(members, "out", out, in, blocks);
    } else if (blocks != null) {
      Checks.ownBlock(members, "in", in, blocks);
    }
    return of(Algorithm.Gather.class, in, members.me == root ? out : NOTHING, null, root)
        .withBlocks(in.byteSize(), blocks);
  }

  static Call scatter(
      Members members, MemorySegment in, @Nullable Blocks blocks, MemorySegment out, int root) {
    Checks.root(members, root);
    Checks.usable("out", out);
    Checks.writable("out", out);
    if (members.me == root) {
      Checks.usable("in", in);
      Checks.blocks(members, "in", in, out, blocks);
    } else if (blocks != null) {
      Checks.ownBlock(members, "out", out, blocks);
    }
    return of(Algorithm.Scatter.class, members.me == root ? in : NOTHING, out, null, root)
        .withBlocks(out.byteSize(), blocks);
  }

  static Call allgather(
      Members members, MemorySegment in, MemorySegment out, @Nullable Blocks blocks) {
    members.requireSound();
    Checks.usable(in, out);
    Checks.writable("out", out);
    Checks.blocks(members, "out", out, in, blocks);
    return of(Algorithm.Allgather.class, in, out, null, 0).withBlocks(in.byteSize(), blocks);
  }

  static Call alltoall(Members members, MemorySegment in, MemorySegment out) {
    members.requireSound();
    Checks.usable(in, out);
    Checks.result(in, out);
    if (in.byteSize() % members.size != 0) {
      throw new IllegalArgumentException(
          "in has %d bytes, which is no multiple of %d members"
              .formatted(in.byteSize(), members.size));
    }
    return of(Algorithm.Alltoall.class, in, out, null, 0)
        .withBlocks(in.byteSize() / members.size, null);
  }

  static Call alltoall(
      Members members, MemorySegment in, Blocks sent, MemorySegment out, Blocks received) {
    members.requireSound();
    Checks.usable(in, out);
    Checks.writable("out", out);
    Checks.extent(members, "in", in, sent);
    Checks.extent(members, "out", out, received);
    Checks.apart(in, out);
    if (sent.length(members.me) != received.length(members.me)) {
      throw new IllegalArgumentException(
          "this member sends itself %d bytes, but receives %d"
              .formatted(sent.length(members.me), received.length(members.me)));
    }
    return new Call(Algorithm.Alltoall.class, in, out, null, 0, 0, sent, received, false);
  }

  static Call reduceScatter(
      Members members,
      MemorySegment in,
      @Nullable Blocks blocks,
      MemorySegment out,
      Reduction reduction) {
    members.requireSound();
    Checks.usable(in, out);
    Checks.writable("out", out);
    Checks.blocks(members, "in", in, out, blocks);
    if (blocks == null) {
      Checks.elements("out", out.byteSize(), reduction);
    } else {
      for (int member = 0; member < members.size; member++) {
        Checks.elements("block " + member, blocks.length(member), reduction);
      }
    }
    return of(Algorithm.ReduceScatter.class, in, out, reduction, 0)
        .withBlocks(out.byteSize(), blocks);
  }

  static Call scan(
      Members members,
      MemorySegment in,
      MemorySegment out,
      Reduction reduction,
      boolean exclusive) {
    members.requireSound();
    Checks.usable(in, out);
    Checks.elements("in", in.byteSize(), reduction);
    Checks.result(in, out);
    return new Call(Algorithm.Scan.class, in, out, reduction, 0, 0, null, null, exclusive);
  }

  /** What it is called, in a word. */
  String name() {
    return (exclusive ? "exclusive" : "") + kind.getSimpleName().toLowerCase(Locale.ROOT);
  }

  /** How data is combined, of an operation that does. */
  Reduction operator() {
    return Objects.requireNonNull(reduction);
  }

  /** Where the blocks of each member are. */
  Blocks layout(int size) {
    return blocks == null ? Blocks.equal(size, block) : blocks;
  }

  /** Where the blocks of the result are. */
  Blocks receivedLayout(int size) {
    return received == null ? layout(size) : received;
  }

  /** Whether what was built for another call does for this one. */
  boolean sameAs(Call other) {
    return kind == other.kind
        && root == other.root
        && reduction == other.reduction
        && exclusive == other.exclusive
        && same(in, other.in)
        && same(out, other.out)
        && Objects.equals(blocks, other.blocks)
        && Objects.equals(received, other.received);
  }

  /** Equal segments may be of different arenas, one of which was closed. */
  private static boolean same(MemorySegment a, MemorySegment b) {
    return a.equals(b) && a.scope().equals(b.scope());
  }
}
