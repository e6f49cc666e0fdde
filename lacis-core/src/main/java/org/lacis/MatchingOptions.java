package org.lacis;

import org.jspecify.annotations.Nullable;
import org.lacis.settings.Settings;

/**
 * How a matching engine is made.
 *
 * @param buckets the size of the hash table, a power of two
 * @param key the key of {@link MatchingPolicy#CUSTOM}; null if that policy is not used
 */
public record MatchingOptions(int buckets, @Nullable KeyFunction key) {

  /** The default of {@link #buckets()}. */
  public static final int DEFAULT_BUCKETS = Settings.MATCHING_BUCKETS.fallback();

  /** Checks the values. */
  public MatchingOptions {
    Settings.MATCHING_BUCKETS.check(buckets);
  }

  /**
   * A hash engine with 65,536 buckets, unless a system property or environment variable says
   * otherwise (see {@link LacisOptions#defaults()}), and no custom key.
   */
  public static MatchingOptions defaults() {
    return new MatchingOptions(Settings.MATCHING_BUCKETS.value(), null);
  }

  /** The same with another number of buckets, a power of two. */
  public MatchingOptions withBuckets(int buckets) {
    return new MatchingOptions(buckets, key);
  }

  /** The same with a key for {@link MatchingPolicy#CUSTOM}. */
  public MatchingOptions withKey(KeyFunction key) {
    return new MatchingOptions(buckets, key);
  }

  /** Makes a matching key. Called at the receiver for both sides; must be pure and quick. */
  @FunctionalInterface
  public interface KeyFunction {
    /**
     * The key.
     *
     * @param rank the sender: for a receive, the rank it was posted with
     * @param tag the tag
     * @return any number; its two top bits are not looked at
     */
    long key(int rank, int tag);
  }
}
