package org.lacis.trace.replay;

import org.lacis.match.BlockMatcher;

/**
 * How a run is played again.
 *
 * @param arrivals how it is found out when messages arrive
 * @param block how many messages are matched at once, with the engine {@link Engine#BLOCKS}
 * @param threads how many match a block
 */
public record ReplayOptions(Arrivals arrivals, int block, int threads) {
  /** By the times of the trace, in blocks of 32 messages, by two threads. */
  public static final ReplayOptions DEFAULT = new ReplayOptions(new Arrivals.Times(), 32, 2);

  /**
   * Checks them.
   *
   * @throws IllegalArgumentException if there are to be too many messages or threads, or none
   */
  public ReplayOptions {
    if (block < 1 || block > BlockMatcher.MAX_BLOCK) {
      throw new IllegalArgumentException(
          "blocks of %d: 1 to %d are possible".formatted(block, BlockMatcher.MAX_BLOCK));
    }
    if (threads < 1 || threads > BlockMatcher.MAX_BLOCK) {
      throw new IllegalArgumentException(
          "%d threads for a block: 1 to %d are possible"
              .formatted(threads, BlockMatcher.MAX_BLOCK));
    }
  }

  /** The same with other times of arrival. */
  public ReplayOptions withArrivals(Arrivals value) {
    return new ReplayOptions(value, block, threads);
  }

  /** The same with blocks of another length. */
  public ReplayOptions withBlock(int value) {
    return new ReplayOptions(arrivals, value, threads);
  }

  /** The same with another number of threads. */
  public ReplayOptions withThreads(int value) {
    return new ReplayOptions(arrivals, block, value);
  }
}
