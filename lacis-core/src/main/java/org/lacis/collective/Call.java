package org.lacis.collective;

import java.lang.foreign.MemorySegment;
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
 */
record Call(
    Class<? extends Algorithm> kind,
    MemorySegment in,
    MemorySegment out,
    @Nullable Reduction reduction,
    int root) {

  static Call barrier(Members members) {
    members.requireSound();
    return new Call(Algorithm.Barrier.class, MemorySegment.NULL, MemorySegment.NULL, null, 0);
  }

  static Call broadcast(Members members, MemorySegment buffer, int root) {
    requireRoot(members, root);
    if (members.me != root) {
      requireWritable("buffer", buffer);
    }
    return new Call(Algorithm.Broadcast.class, buffer, buffer, null, root);
  }

  static Call reduce(
      Members members, MemorySegment in, MemorySegment out, Reduction reduction, int root) {
    requireRoot(members, root);
    requireElements("in", in, reduction);
    if (members.me == root) {
      requireResult(in, out);
    }
    MemorySegment result = members.me == root ? out : MemorySegment.NULL;
    return new Call(Algorithm.Reduce.class, in, result, reduction, root);
  }

  static Call allreduce(Members members, MemorySegment in, MemorySegment out, Reduction reduction) {
    members.requireSound();
    requireElements("in", in, reduction);
    requireResult(in, out);
    return new Call(Algorithm.Allreduce.class, in, out, reduction, 0);
  }

  /** How data is combined, of an operation that does. */
  Reduction operator() {
    return Objects.requireNonNull(reduction);
  }

  /** Whether what was built for another call does for this one. */
  boolean sameAs(Call other) {
    return kind == other.kind
        && root == other.root
        && reduction == other.reduction
        && same(in, other.in)
        && same(out, other.out);
  }

  /** Equal segments may be of different arenas, one of which was closed. */
  private static boolean same(MemorySegment a, MemorySegment b) {
    return a.equals(b) && a.scope().equals(b.scope());
  }

  private static void requireRoot(Members members, int root) {
    members.requireSound();
    if (root < 0 || root >= members.size) {
      throw new IllegalArgumentException(
          "root must be a member of the group, 0 to " + (members.size - 1) + ", but is " + root);
    }
  }

  private static void requireElements(String name, MemorySegment data, Reduction reduction) {
    Objects.requireNonNull(reduction, "reduction");
    if (data.byteSize() % reduction.elementBytes() != 0) {
      throw new IllegalArgumentException(
          "%s has %d bytes, but must be whole elements of %d for %s"
              .formatted(name, data.byteSize(), reduction.elementBytes(), reduction));
    }
  }

  private static void requireResult(MemorySegment in, MemorySegment out) {
    requireWritable("out", out);
    if (in.byteSize() != out.byteSize()) {
      throw new IllegalArgumentException(
          "out has %d bytes, but must have as many as in: %d"
              .formatted(out.byteSize(), in.byteSize()));
    }
    if (!in.equals(out) && in.asOverlappingSlice(out).isPresent()) {
      throw new IllegalArgumentException(
          "in and out overlap: they must be the same memory or have nothing in common");
    }
  }

  private static void requireWritable(String name, MemorySegment segment) {
    if (segment.isReadOnly()) {
      throw new IllegalArgumentException(name + " is read-only");
    }
  }
}
