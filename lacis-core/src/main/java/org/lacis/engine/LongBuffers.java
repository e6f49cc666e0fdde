package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetContext;

/**
 * Buffers for long active messages, which nobody has posted a buffer for: blocks of the network's
 * memory by powers of two, kept for reuse. Held by a lease, a negative number, that a {@link
 * StatusRecord} gives back.
 */
final class LongBuffers {

  private static final int CLASSES = 48;

  /** Answered when another thread is at it: try again. */
  static final Block BUSY = new Block(-1, 0, 0, MemorySegment.NULL);

  private final NetContext context;
  private final TryLock lock = new TryLock();

  /** Given back by any thread, not sorted yet. */
  private final AtomicReference<@Nullable Block> returned = new AtomicReference<>();

  // Under the lock.
  private final @Nullable Block[] free = new Block[CLASSES];
  private int count;

  /** By number; replaced by a longer one when it grows. */
  private volatile Block[] blocks = new Block[0];

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

  /** A block of at least so many bytes; null if there is no memory; or {@link #BUSY}. */
  @Nullable Block take(long bytes) {
    int sizeClass = 64 - Long.numberOfLeadingZeros(Math.max(1, bytes - 1));
    if (sizeClass >= CLASSES) {
      return null;
    }
    if (!lock.tryLock()) {
      return BUSY;
    }
    try {
      sortReturned();
      Block block = free[sizeClass];
      if (block == null) {
        return make(sizeClass);
      }
      free[sizeClass] = block.next;
      return block;
    } finally {
      lock.unlock();
    }
  }

  private void sortReturned() {
    Block block = returned.get() == null ? null : returned.getAndSet(null);
    while (block != null) {
      Block next = block.next;
      block.next = free[block.sizeClass];
      free[block.sizeClass] = block;
      block = next;
    }
  }

  private @Nullable Block make(int sizeClass) {
    long address = context.allocate(1L << sizeClass, 64);
    if (address == 0) {
      return null;
    }
    Block block = new Block(count, sizeClass, address, context.view(address, 1L << sizeClass));
    Block[] longer = Arrays.copyOf(blocks, count + 1);
    longer[count++] = block;
    blocks = longer;
    return block;
  }

  /** Ends a lease; any thread. */
  void release(long lease) {
    Block block = blocks[(int) (-lease - 1)];
    Block top;
    do {
      top = returned.get();
      block.next = top;
    } while (!returned.compareAndSet(top, block));
  }
}
