package org.lacis.match;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Matches blocks of messages with the receives of an {@link OrderedMatcher}, by several threads at
 * once: the caller's and helpers of its own, which sleep when there is nothing to do.
 */
public final class BlockMatcher implements AutoCloseable {

  /** The most messages of a block, and the most threads. */
  public static final int MAX_BLOCK = MatchBlock.MAX;

  private static final int SPINS = 2_000;
  private static final int YIELDS = 50;

  /** In {@link #round}: how many threads take part, below the number of the round. */
  private static final int ROUND = 8;

  private final OrderedMatcher matcher;
  private final MatchBlock block;
  private final Helper[] helpers;

  /** Which block it is, and how many threads take part in it. */
  private final AtomicLong round = new AtomicLong();

  /** Helpers that take part and are not done. */
  private final AtomicInteger busy = new AtomicInteger();

  private volatile boolean closed;

  private final class Helper implements Runnable {
    final int number;
    final Thread thread;
    volatile boolean sleeps;

    Helper(int number) {
      this.number = number;
      this.thread = Thread.ofPlatform().daemon().name("lacis-matching-" + number).unstarted(this);
    }

    @Override
    public void run() {
      long seen = 0;
      for (; ; ) {
        seen = next(seen);
        if (closed) {
          return;
        }
        int threads = (int) (seen & ((1 << ROUND) - 1));
        if (number < threads) {
          share(number, threads);
          busy.getAndDecrement();
        }
      }
    }

    /** Waits for another block than the last one. */
    private long next(long seen) {
      for (int tries = 0; ; tries++) {
        long now = round.get();
        if (now != seen || closed) {
          return now;
        }
        if (tries < SPINS) {
          Thread.onSpinWait();
        } else if (tries < SPINS + YIELDS) {
          Thread.yield();
        } else {
          sleep(seen);
        }
      }
    }

    private void sleep(long seen) {
      sleeps = true;
      // Whoever begins a block looks at the flag after it has changed the round.
      if (round.get() == seen && !closed) {
        LockSupport.park(BlockMatcher.this);
      }
      sleeps = false;
    }

    void wake() {
      if (sleeps) {
        LockSupport.unpark(thread);
      }
    }
  }

  /**
   * Matches with all that the algorithm has.
   *
   * @param matcher whose receives; it may be used by others between two blocks
   * @param threads how many, with the caller's, 1 to {@link #MAX_BLOCK}
   */
  public BlockMatcher(OrderedMatcher matcher, int threads) {
    this(matcher, threads, true, true);
  }

  /**
   * Matches with or without parts of the algorithm that may be left out.
   *
   * @param matcher whose receives; it may be used by others between two blocks
   * @param threads how many, with the caller's, 1 to {@link #MAX_BLOCK}
   * @param earlyCheck whether receives that an earlier message has booked are passed over at once
   * @param fastPath whether conflicts along a sequence of receives are resolved without waiting
   */
  public BlockMatcher(OrderedMatcher matcher, int threads, boolean earlyCheck, boolean fastPath) {
    if (threads < 1 || threads > MAX_BLOCK) {
      throw new IllegalArgumentException(
          "threads must be 1 to " + MAX_BLOCK + ", but is " + threads);
    }
    this.matcher = matcher;
    this.block = new MatchBlock(matcher, earlyCheck, fastPath);
    this.helpers = new Helper[threads - 1];
    for (int i = 0; i < helpers.length; i++) {
      helpers[i] = new Helper(i + 1);
      helpers[i].thread.start();
    }
  }

  /**
   * Matches messages as if they came one after the other. Waits for threads that use the matcher.
   *
   * @param messages the messages, in the order they came
   * @param count how many of them, up to {@link #MAX_BLOCK}
   * @param receives filled with the receive of each; null where the matcher has kept the message
   */
  public void match(MatchEntry[] messages, int count, @Nullable MatchEntry[] receives) {
    Objects.checkFromIndexSize(0, count, MAX_BLOCK);
    matcher.hold();
    try {
      for (int i = 0; i < count; i++) {
        add(messages[i]);
      }
      run(receives);
    } finally {
      matcher.letGo();
    }
  }

  /** What was counted so far. */
  public MatchCounts counts() {
    matcher.hold();
    try {
      return block.counts();
    } finally {
      matcher.letGo();
    }
  }

  // By the thread that has the matcher.

  /** Adds a message to the next block; there must be room. */
  void add(MatchEntry message) {
    block.add(message);
  }

  int size() {
    return block.size();
  }

  /** Matches what was added. */
  void run(@Nullable MatchEntry[] receives) {
    int threads = closed ? 1 : Math.min(helpers.length + 1, block.size());
    block.begin();
    if (threads > 1) {
      busy.set(threads - 1);
      round.set((((round.get() >>> ROUND) + 1) << ROUND) | threads);
      for (int i = 0; i < threads - 1; i++) {
        helpers[i].wake();
      }
    }
    share(0, threads);
    for (int tries = 0; busy.get() != 0; tries++) {
      if (tries < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
    block.end(receives);
  }

  /** One thread's messages; the least that is not matched never waits for its thread. */
  private void share(int thread, int threads) {
    for (int i = thread; i < block.size(); i += threads) {
      block.match(i);
    }
  }

  /** Ends the helpers, between two blocks. Blocks are matched by the caller alone from then on. */
  @Override
  public void close() {
    matcher.hold();
    closed = true;
    matcher.letGo();
    for (Helper helper : helpers) {
      LockSupport.unpark(helper.thread);
    }
  }
}
