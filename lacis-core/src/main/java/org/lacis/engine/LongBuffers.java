package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetContext;

/**
 * Buffers for long active messages, which nobody has posted a buffer for: blocks of the network's
 * memory by powers of two, kept for reuse until somebody needs the memory. Held by a lease, a
 * negative number, that a {@link StatusRecord} gives back.
 */
final class LongBuffers {

  private static final int CLASSES = 48;

  private final NetContext context;
  private final @Nullable Block[] free = new Block[CLASSES];

  /** By number; null if it was given back. */
  private @Nullable Block[] blocks = new Block[16];

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
    long address = allocate(1L << c, 64);
    if (address == 0) {
      return null;
    }
    int number = number();
    block = new Block(number, c, address, context.view(address, 1L << c));
    blocks[number] = block;
    return block;
  }

  /** The first that no block has. */
  private int number() {
    for (int i = 0; i < count; i++) {
      if (blocks[i] == null) {
        return i;
      }
    }
    if (count == blocks.length) {
      blocks = Arrays.copyOf(blocks, 2 * count);
    }
    return count++;
  }

  /** Memory of the network's, for whatever it is needed; 0 if there is none. */
  synchronized long allocate(long bytes, int alignment) {
    long address = context.allocate(bytes, alignment);
    if (address == 0 && giveBack()) {
      address = context.allocate(bytes, alignment);
    }
    return address;
  }

  /** Gives back what is not in use; whether there was something. */
  private boolean giveBack() {
    boolean any = false;
    for (int c = 0; c < CLASSES; c++) {
      for (Block block = free[c]; block != null; block = block.next) {
        blocks[block.number] = null;
        context.free(block.address, 1L << c);
        any = true;
      }
      free[c] = null;
    }
    return any;
  }

  /** Ends a lease. */
  synchronized void release(long lease) {
    Block block = Objects.requireNonNull(blocks[(int) (-lease - 1)]);
    block.next = free[block.sizeClass];
    free[block.sizeClass] = block;
  }
}
