package org.lacis.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lacis.net.BiasedLock;

/**
 * The operations of a device: found by number, taken from and given back to a lock-free stack. It
 * grows by chunks when more are under way than ever before, and never shrinks. The thread that
 * takes most has a stock of them at hand. What the thread that makes progress gives back goes to
 * the stack all at once, when it is done.
 */
final class OperationTable {

  private static final int CHUNK_BITS = 9;
  private static final int CHUNK = 1 << CHUNK_BITS;
  private static final int CHUNKS = 1 << 15;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  /** 128 bytes of references, even where they are short. */
  private static final int ALONE = 32;

  /** Where the head is in its array: 128 bytes from whatever is beside it. */
  private static final int HEAD = 128 / Long.BYTES;

  /** How many operations a stock is filled with. */
  private static final int STOCK = 32;

  /** Free operations, linked, for who has the lock: mostly one thread, which needs no exchange. */
  private static final class Stock extends BiasedLock {
    @Nullable Operation first;
  }

  final EngineDevice device;
  private final CoarseClock clock;
  private final Turn turn;
  private final Stock stock = new Stock();

  /** Replaced by a longer one when it grows. */
  private volatile Operation[][] chunks = {};

  /**
   * The free stack's head: in the upper half a counter that changes with every pop, against ABA;
   * below it the number + 1, or 0.
   */
  private final long[] words = new long[2 * HEAD + 1];

  /**
   * Given back during the progress call under way, linked: the last one, and the first. Of the
   * thread that makes it, and 128 bytes from what others read.
   */
  private final @Nullable Operation[] returned = new Operation[2 * ALONE + 2];

  /**
   * Makes an empty one.
   *
   * @param turn whose turn it is to make progress on the device
   */
  OperationTable(EngineDevice device, CoarseClock clock, Turn turn) {
    this.device = device;
    this.clock = clock;
    this.turn = turn;
  }

  /** An operation to fill. Its state is still FREE. */
  Operation take() {
    Operation op = stock.tryLock() ? takeFromStock() : pop(1);
    op.link = null;
    op.since = clock.now();
    return op;
  }

  private Operation takeFromStock() {
    try {
      Operation op = stock.first;
      if (op == null) {
        op = pop(STOCK);
      }
      stock.first = op.link;
      return op;
    } finally {
      stock.unlock();
    }
  }

  /**
   * Takes operations from the stack, linked: so many, or as many as there are, but one at least.
   */
  private Operation pop(int most) {
    for (; ; ) {
      long h = (long) WORDS.getAcquire(words, HEAD);
      int top = (int) h;
      if (top == 0) {
        grow();
        continue;
      }
      Operation op = at(top - 1);
      // A stale link is read if another thread pops it meanwhile; the counter then fails the
      // exchange.
      Operation last = op;
      Operation below = op.link;
      for (int i = 1; i < most && below != null; i++) {
        last = below;
        below = below.link;
      }
      int next = below == null ? 0 : below.id + 1;
      if (WORDS.compareAndSet(words, HEAD, h, ((h >>> 32) + 1) << 32 | next)) {
        last.link = null;
        return op;
      }
    }
  }

  /** Gives an operation back; nothing refers to it any more. */
  void give(Operation op) {
    op.free();
    if (turn.isMine()) {
      Operation before = returned[ALONE];
      if (before == null) {
        returned[ALONE + 1] = op;
      }
      op.link = before;
      returned[ALONE] = op;
    } else {
      push(op, op);
    }
  }

  /** By the thread that makes progress: puts back what was given back meanwhile. */
  void settle() {
    Operation last = returned[ALONE];
    if (last != null) {
      push(last, Objects.requireNonNull(returned[ALONE + 1]));
      returned[ALONE] = null;
    }
  }

  /** The operation of that number, or null if there never was one. */
  @Nullable Operation find(int id) {
    int chunk = id >>> CHUNK_BITS;
    return id >= 0 && chunk < chunks.length ? at(id) : null;
  }

  /** The operation that is named, or null if that use of it is over. */
  @Nullable Operation find(long wireId) {
    Operation op = find((int) wireId);
    return op != null && op.isNamed(wireId) ? op : null;
  }

  /**
   * Takes a zero-copy send from whoever else might end it: the thread that posts it, and finds no
   * room, or the one that hears that its peer is gone. Rare, so a lock will do.
   *
   * @param use its {@link Operation#wireId}, read before anything else of it was looked at
   * @return false if the other one has it
   */
  synchronized boolean claim(Operation op, long use) {
    if (op.stateOf(use) != Operation.State.SEND) {
      return false;
    }
    op.state = Operation.State.BACKLOG;
    return true;
  }

  /**
   * Takes what is left under way on a device that is closed from whoever else might end it: the
   * thread that closes it, and the one that has posted it meanwhile.
   *
   * @param use as for {@link #claim}
   * @return false if it is over, or another thread has it in hand
   */
  synchronized boolean claimLeft(Operation op, long use) {
    if (op.isInHand(use) || !op.isNamed(use)) {
      return false;
    }
    op.hold();
    return true;
  }

  /** Calls with each operation that is not free; a snapshot. */
  void forEach(Consumer<Operation> action) {
    for (Operation[] chunk : chunks) {
      for (Operation op : chunk) {
        if (op.state != Operation.State.FREE) {
          action.accept(op);
        }
      }
    }
  }

  private Operation at(int id) {
    Operation[] chunk = chunks[id >>> CHUNK_BITS];
    return chunk[id & (CHUNK - 1)];
  }

  private void grow() {
    Operation[] added;
    synchronized (this) {
      if ((int) (long) WORDS.getAcquire(words, HEAD) != 0) {
        return;
      }
      int c = chunks.length;
      if (c == CHUNKS) {
        throw new OutOfMemoryError(
            "more than " + (CHUNKS << CHUNK_BITS) + " operations are under way on one device");
      }
      MemorySegment slab = Arena.ofAuto().allocate((long) CHUNK * StatusRecord.INLINE_BYTES, 64);
      added = new Operation[CHUNK];
      for (int i = 0; i < CHUNK; i++) {
        added[i] =
            new Operation(
                this,
                c * CHUNK + i,
                slab.asSlice((long) i * StatusRecord.INLINE_BYTES, StatusRecord.INLINE_BYTES));
      }
      Operation[][] longer = Arrays.copyOf(chunks, c + 1);
      longer[c] = added;
      chunks = longer;
      for (int i = CHUNK - 1; i >= 0; i--) {
        push(added[i], added[i]);
      }
    }
  }

  /** Puts operations that are linked on top of the stack. */
  private void push(Operation top, Operation bottom) {
    for (; ; ) {
      long h = (long) WORDS.getAcquire(words, HEAD);
      int below = (int) h;
      bottom.link = below == 0 ? null : at(below - 1);
      if (WORDS.compareAndSet(words, HEAD, h, (h & 0xffff_ffff_0000_0000L) | (top.id + 1))) {
        return;
      }
    }
  }
}
