package org.lacis.match;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Which thread matches which messages of a block. With a core for each thread, each has a share: so
 * many messages apart, beginning with its own number. With fewer cores whoever is free takes the
 * next message, so that nobody waits for a thread that has not begun, which may have no core for
 * long.
 */
final class BlockTurns {

  /** No message is left for the thread. */
  static final int NONE = -1;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  /** The block under way: its number, how many messages it has, and the next that is free. */
  private static final int BLOCK = MatchBlock.APART;

  /** How many messages helpers have matched. */
  private static final int HELPED = 2 * MatchBlock.APART;

  private static final int SIZE_SHIFT = 8;
  private static final int NUMBER_SHIFT = 16;
  private static final int MASK = 0xff;

  private final int threads;
  private final boolean crowded;
  private final long[] words = new long[3 * MatchBlock.APART];

  BlockTurns(int threads, boolean crowded) {
    this.threads = threads;
    this.crowded = crowded;
  }

  /** The leader: begins a block of so many messages. All that helpers had taken is matched. */
  void begin(int size) {
    words[HELPED] = 0;
    long number = (words[BLOCK] >>> NUMBER_SHIFT) + 1;
    WORDS.setVolatile(words, BLOCK, number << NUMBER_SHIFT | (long) size << SIZE_SHIFT);
  }

  /** The leader: whether helpers have matched so many messages of the block. */
  boolean areHelped(int messages) {
    return (long) WORDS.getAcquire(words, HELPED) == messages;
  }

  /** A helper: it has matched so many messages. Until it says so the block does not end. */
  void help(int messages) {
    WORDS.getAndAdd(words, HELPED, (long) messages);
  }

  /** The block under way, or the last one. */
  long block() {
    return (long) WORDS.getVolatile(words, BLOCK);
  }

  /** Which one that is: another for each block. */
  static long number(long block) {
    return block >>> NUMBER_SHIFT;
  }

  /**
   * Any thread: the next message it matches.
   *
   * @param block as the thread has found it; a thread without a share in it may find the next one
   *     under way by now, and must not take its share of that here
   * @param thread which one, from 0
   * @param last what it has matched of this block before, or {@link #NONE}
   */
  int next(long block, int thread, int last) {
    return crowded ? free() : share(block, last == NONE ? thread : last + threads);
  }

  private static int share(long block, int own) {
    return own < size(block) ? own : NONE;
  }

  private int free() {
    long block = block();
    while ((block & MASK) < size(block)) {
      if (WORDS.compareAndSet(words, BLOCK, block, block + 1)) {
        return (int) (block & MASK);
      }
      block = block();
    }
    return NONE;
  }

  private static int size(long block) {
    return (int) (block >>> SIZE_SHIFT) & MASK;
  }
}
