package org.lacis.trace.depth;

import java.util.List;

/**
 * What is emulated.
 *
 * @param bins numbers of bins, each emulated by itself
 * @param hash which bin a receive goes to
 * @param scope which calls count
 */
public record DepthOptions(List<Integer> bins, BinHash hash, Scope scope) {
  /** The powers of two from 1 to 256, as in the article. */
  public static final List<Integer> DEFAULT_BINS = List.of(1, 2, 4, 8, 16, 32, 64, 128, 256);

  /** All calls, in 1 to 256 bins, by Pearson's hash. */
  public static final DepthOptions DEFAULT =
      new DepthOptions(DEFAULT_BINS, BinHash.PEARSON, Scope.ALL);

  /**
   * Checks them.
   *
   * @throws IllegalArgumentException if a number of bins is not positive or more than the hash has
   *     values
   */
  public DepthOptions {
    bins = List.copyOf(bins);
    if (bins.isEmpty() || bins.size() > 64) {
      throw new IllegalArgumentException(
          "there must be 1 to 64 numbers of bins, not " + bins.size());
    }
    for (int n : bins) {
      if (n < 1 || n > hash.range()) {
        throw new IllegalArgumentException(
            "%d bins: with the hash %s there can be 1 to %d".formatted(n, hash, hash.range()));
      }
    }
  }

  /** The same with other numbers of bins. */
  public DepthOptions withBins(List<Integer> value) {
    return new DepthOptions(value, hash, scope);
  }

  /** The same with another hash. */
  public DepthOptions withHash(BinHash value) {
    return new DepthOptions(bins, value, scope);
  }

  /** The same with other calls that count. */
  public DepthOptions withScope(Scope value) {
    return new DepthOptions(bins, hash, value);
  }
}
