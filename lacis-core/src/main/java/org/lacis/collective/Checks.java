package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Mistakes in calls, in words. */
final class Checks {

  private Checks() {}

  static void root(Members members, int root) {
    members.requireSound();
    if (root < 0 || root >= members.size) {
      throw new IllegalArgumentException(
          "root must be a member of the group, 0 to " + (members.size - 1) + ", but is " + root);
    }
  }

  static void elements(String name, long bytes, Reduction reduction) {
    Objects.requireNonNull(reduction, "reduction");
    if (bytes % reduction.elementBytes() != 0) {
      throw new IllegalArgumentException(
          "%s has %d bytes, but must be whole elements of %d for %s"
              .formatted(name, bytes, reduction.elementBytes(), reduction));
    }
  }

  /** Memory that this thread can use: found out at a step, it would be the end of the group. */
  static void usable(String name, MemorySegment segment) {
    Objects.requireNonNull(segment, name);
    if (!segment.scope().isAlive()) {
      throw new IllegalStateException(name + " belongs to an arena that is closed");
    }
    if (!segment.isAccessibleBy(Thread.currentThread())) {
      throw new IllegalArgumentException(
          name
              + " belongs to an arena that is confined to another thread: call from there, or use"
              + " Arena.ofShared() or Arena.ofAuto()");
    }
  }

  static void usable(MemorySegment in, MemorySegment out) {
    usable("in", in);
    usable("out", out);
  }

  static void writable(String name, MemorySegment segment) {
    if (segment.isReadOnly()) {
      throw new IllegalArgumentException(name + " is read-only");
    }
  }

  /** A result that is as long as the data, and perhaps in its place. */
  static void result(MemorySegment in, MemorySegment out) {
    writable("out", out);
    if (in.byteSize() != out.byteSize()) {
      throw new IllegalArgumentException(
          "out has %d bytes, but must have as many as in: %d"
              .formatted(out.byteSize(), in.byteSize()));
    }
    apart(in, out);
  }

  /** Buffers that are the same, or have nothing in common. */
  static void apart(MemorySegment one, MemorySegment other) {
    if (!one.equals(other) && one.asOverlappingSlice(other).isPresent()) {
      throw new IllegalArgumentException(
          "in and out overlap: they must be the same memory or have nothing in common");
    }
  }

  /**
   * A buffer with a block for every member, beside one for this member, which may be its block.
   *
   * @param name what the first is called
   * @param all the buffer with all blocks
   * @param own the one of this member
   * @param blocks where they are; null if all are as long as that of this member
   */
  static void blocks(
      Members members, String name, MemorySegment all, MemorySegment own, @Nullable Blocks blocks) {
    long offset = members.me * own.byteSize();
    if (blocks == null) {
      if (all.byteSize() != own.byteSize() * members.size) {
        throw new IllegalArgumentException(
            "%s has %d bytes, but must have %d for each of %d members"
                .formatted(name, all.byteSize(), own.byteSize(), members.size));
      }
    } else {
      extent(members, name, all, blocks);
      ownBlock(members, name.equals("in") ? "out" : "in", own, blocks);
      offset = blocks.offset(members.me);
    }
    if (name.equals("out")) {
      writable("out", all);
    }
    if (all.asOverlappingSlice(own).isPresent()) {
      apart(all.asSlice(offset, own.byteSize()), own);
    }
  }

  /** A buffer that has room for blocks, one for every member. */
  static void extent(Members members, String name, MemorySegment buffer, Blocks blocks) {
    count(members, blocks);
    if (buffer.byteSize() < blocks.extent()) {
      throw new IllegalArgumentException(
          "%s has %d bytes, but the blocks end at %d"
              .formatted(name, buffer.byteSize(), blocks.extent()));
    }
  }

  /** A buffer that has the block of this member. */
  static void ownBlock(Members members, String name, MemorySegment buffer, Blocks blocks) {
    count(members, blocks);
    if (buffer.byteSize() != blocks.length(members.me)) {
      throw new IllegalArgumentException(
          "%s has %d bytes, but the block of member %d has %d"
              .formatted(name, buffer.byteSize(), members.me, blocks.length(members.me)));
    }
  }

  private static void count(Members members, Blocks blocks) {
    if (blocks.count() != members.size) {
      throw new IllegalArgumentException(
          "there are %d blocks for %d members".formatted(blocks.count(), members.size));
    }
  }
}
