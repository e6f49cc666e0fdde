package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetContext;

/**
 * Buffers for long active messages, which nobody has posted a buffer for: blocks of the network's
 * memory by powers of two, kept for reuse. Held by a lease, a negative number, that a {@link
 * StatusRecord} gives back.
 */
final class LongBuffers {

  private static final int CLASSES = 48;

  private final NetContext context;
  private final @Nullable Block[] free = new Block[CLASSES];

  /** By number. */
  private Block[] blocks = new Block[16];

  private int count;

  LongBuffers(NetContext context) {
    this.context = context;
  }

  /** A piece of memory and its segment. */
  static final class Block {
    final int number;
    final int sizeClass;
    final long address;
    final MemorySegment segment;
    private @Nullable Block next;

    private Block(int number, int sizeClass, long address, MemorySegment segment) {
      this.number = number;
      this.sizeClass = sizeClass;
      this.address = address;
      this.segment = segment;
    }

    long lease() {
      return -(number + 1L);
    }
  }

  /** A block of at least so many bytes, or null if there is no memory. */
  synchronized @Nullable Block take(long bytes) {
    int c = 64 - Long.numberOfLeadingZeros(Math.max(1, bytes - 1));
    if (c >= CLASSES) {
      return null;
    }
    Block block = free[c];
    if (block != null) {
      free[c] = block.next;
      return block;
    }
    long address = context.allocate(1L << c, 64);
    if (address == 0) {
      return null;
    }
    if (count == blocks.length) {
      blocks = java.util.Arrays.copyOf(blocks, 2 * count);
    }
    block = new Block(count, c, address, context.view(address, 1L << c));
    blocks[count++] = block;
    return block;
  }

  /** Ends a lease. */
  synchronized void release(long lease) {
    Block block = blocks[(int) (-lease - 1)];
    block.next = free[block.sizeClass];
    free[block.sizeClass] = block;
  }
}
