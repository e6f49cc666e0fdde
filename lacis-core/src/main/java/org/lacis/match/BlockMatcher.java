package org.lacis.match;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Patience;

/**
 * Matches blocks of messages with the receives of an {@link OrderedMatcher}, by several threads at
 * once: the caller's and helpers of its own, which sleep when there is nothing to do.
 */
public final class BlockMatcher implements AutoCloseable {

  /** The most messages of a block, and the most threads. */
  public static final int MAX_BLOCK = MatchBlock.MAX;

  private static final int SPINS = 2_000;
  private static final int CROWDED_SPINS = 20;

  private final OrderedMatcher matcher;
  private final MatchBlock block;
  private final BlockTurns turns;
  private final Helper[] helpers;
  private final int spins;

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
      for (long seen = next(0); !closed; seen = next(seen)) {
        int matched = share(seen, number);
        if (matched > 0) {
          turns.help(matched);
        }
      }
    }

    /** Waits for another block than the last one. */
    private long next(long seen) {
      for (int looks = 1; ; looks++) {
        long now = turns.block();
        if (BlockTurns.number(now) != BlockTurns.number(seen) || closed) {
          return now;
        }
        if (Patience.step(looks, spins)) {
          sleep(seen);
          looks = 0;
        }
      }
    }

    private void sleep(long seen) {
      sleeps = true;
      // Whoever begins a block looks at the flag afterwards.
      if (BlockTurns.number(turns.block()) == BlockTurns.number(seen) && !closed) {
        LockSupport.park(BlockMatcher.this);
      }
      sleeps = false;
    }

    void wake() {
      if (sleeps) {
        // Once is enough, though it may take long until the thread runs.
        sleeps = false;
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
    this(matcher, threads, true, true, false);
  }

  /**
   * Matches with or without parts of the algorithm that may be left out.
   *
   * @param matcher whose receives; it may be used by others between two blocks
   * @param threads how many, with the caller's, 1 to {@link #MAX_BLOCK}
   * @param earlyCheck whether receives that an earlier message has booked are passed over at once
   * @param fastPath whether conflicts along a sequence of receives are resolved without waiting
   * @param crowded whether there may be fewer cores than threads: then messages go to threads that
   *     run, otherwise each thread has its share
   */
  public BlockMatcher(
      OrderedMatcher matcher, int threads, boolean earlyCheck, boolean fastPath, boolean crowded) {
    if (threads < 1 || threads > MAX_BLOCK) {
      throw new IllegalArgumentException(
          "threads must be 1 to " + MAX_BLOCK + ", but is " + threads);
    }
    this.matcher = matcher;
    this.spins = spins(crowded);
    this.block = new MatchBlock(matcher, earlyCheck, fastPath);
    this.turns = new BlockTurns(threads, crowded);
    this.helpers = new Helper[threads - 1];
    for (int i = 0; i < helpers.length; i++) {
      helpers[i] = new Helper(i + 1);
      helpers[i].thread.start();
    }
  }

  /** How often a matching thread looks again at once for something to do, before it yields. */
  static int spins(boolean crowded) {
    return crowded ? CROWDED_SPINS : SPINS;
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
    int size = block.size();
    block.begin();
    if (size == 1 || helpers.length == 0 || closed) {
      for (int i = 0; i < size; i++) {
        block.match(i);
      }
    } else {
      together(size);
    }
    block.end(receives);
  }

  private void together(int size) {
    turns.begin(size);
    for (int i = 0; i < Math.min(helpers.length, size - 1); i++) {
      helpers[i].wake();
    }
    int helped = size - share(turns.block(), 0);
    for (int looks = 1, slept = 0; !turns.areHelped(helped); looks++) {
      if (Patience.step(looks, spins)) {
        LockSupport.parkNanos(this, Patience.sleepNanos(slept++));
      }
    }
  }

  /** One thread's messages; how many. The least that is not matched never waits for its thread. */
  private int share(long seen, int thread) {
    int matched = 0;
    int i = BlockTurns.NONE;
    while ((i = turns.next(seen, thread, i)) != BlockTurns.NONE) {
      block.match(i);
      matched++;
    }
    return matched;
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
