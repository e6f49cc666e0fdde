package org.lacis;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.settings.Settings;

/**
 * How a matching engine is made. {@link #defaults}, {@link #list} and {@link #ordered} are the
 * kinds there are:
 *
 * <pre>{@code
 * lacis.newMatchingEngine(ordered().threads(4).bins(1024).maxReceives(8192))
 * }</pre>
 *
 * @param kind which messages meet which receives, and how they are looked for
 * @param buckets of {@link Kind#HASH}: the size of the hash table, a power of two
 * @param key of {@link Kind#HASH}: the key of {@link MatchingPolicy#CUSTOM}; null if that policy is
 *     not used
 * @param bins of {@link Kind#ORDERED}: the size of each hash table, a power of two
 * @param maxReceives of {@link Kind#ORDERED}: the size of the table of posted receives; when it is
 *     full, more are kept in a list, which takes time to search
 * @param threads of {@link Kind#ORDERED}: matching threads; 0 if messages are matched by the
 *     threads that make progress, as they come
 * @param fastPath of {@link Kind#ORDERED}: whether matching threads resolve conflicts along a
 *     sequence of receives at once, instead of one after the other; off to compare with
 * @param hints of the ordered kinds: what the program promises not to need
 */
public record MatchingOptions(
    Kind kind,
    int buckets,
    @Nullable KeyFunction key,
    int bins,
    int maxReceives,
    int threads,
    boolean fastPath,
    MatchingHints hints) {

  /** The default of {@link #buckets()}. */
  public static final int DEFAULT_BUCKETS = Settings.MATCHING_BUCKETS.fallback();

  /** The default of {@link #bins()}. */
  public static final int DEFAULT_BINS = Settings.MATCHING_BINS.fallback();

  /** The default of {@link #maxReceives()}. */
  public static final int DEFAULT_MAX_RECEIVES = Settings.MATCHING_MAX_RECEIVES.fallback();

  /** The kinds of matching engines. */
  public enum Kind {
    /** By a hash of what both sides must have in common, in no promised order; the quickest. */
    HASH,
    /** By MPI's rules, with two lists that are searched from the oldest on. */
    LIST,
    /** By MPI's rules, with hash tables: the time does not grow with what waits. */
    ORDERED
  }

  /** Checks the values. */
  public MatchingOptions {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(hints, "hints");
    Settings.MATCHING_BUCKETS.check(buckets);
    Settings.MATCHING_BINS.check(bins);
    Settings.MATCHING_MAX_RECEIVES.check(maxReceives);
    Settings.MATCHING_THREADS.check(threads);
    if (kind != Kind.ORDERED && threads > 0) {
      throw new IllegalArgumentException(
          "matching threads are for kind ORDERED, but kind is " + kind);
    }
    if (kind != Kind.HASH && key != null) {
      throw new IllegalArgumentException("a custom key is for kind HASH, but kind is " + kind);
    }
    if (kind == Kind.HASH && !hints.equals(MatchingHints.NONE)) {
      throw new IllegalArgumentException("hints are for the ordered kinds, but kind is HASH");
    }
  }

  /**
   * A hash engine with 65,536 buckets, unless a system property or environment variable says
   * otherwise (see {@link LacisOptions#defaults()}), and no custom key.
   */
  public static MatchingOptions defaults() {
    return of(Kind.HASH);
  }

  /**
   * An engine that matches in order, by MPI's rules: of the receives that match a message the one
   * posted first takes it, and messages of one sender do not overtake each other, whatever devices
   * they come by. Receives may leave sender and tag open ({@link Lacis#ANY_SOURCE}, {@link
   * Lacis#ANY_TAG}). It has 1024 bins and room for 8192 receives, unless a system property or
   * environment variable says otherwise.
   */
  public static MatchingOptions ordered() {
    return of(Kind.ORDERED);
  }

  /** As {@link #ordered()}, with two plain lists: for few receives, and to compare with. */
  public static MatchingOptions list() {
    return of(Kind.LIST);
  }

  private static MatchingOptions of(Kind kind) {
    return new MatchingOptions(
        kind,
        Settings.MATCHING_BUCKETS.value(),
        null,
        Settings.MATCHING_BINS.value(),
        Settings.MATCHING_MAX_RECEIVES.value(),
        kind == Kind.ORDERED ? Settings.MATCHING_THREADS.value() : 0,
        Settings.MATCHING_FAST_PATH.value(),
        MatchingHints.NONE);
  }

  /** What another kind would not look at is refused: who gives it has something else in mind. */
  private void requireKind(Kind wanted, String option) {
    if (kind != wanted) {
      throw new IllegalArgumentException(
          "%s is for kind %s, but kind is %s".formatted(option, wanted, kind));
    }
  }

  /** Whether it matches in order, by MPI's rules. */
  public boolean isOrdered() {
    return kind != Kind.HASH;
  }

  /** The same with another number of buckets, a power of two; of kind {@link Kind#HASH}. */
  public MatchingOptions withBuckets(int buckets) {
    requireKind(Kind.HASH, "withBuckets");
    return new MatchingOptions(kind, buckets, key, bins, maxReceives, threads, fastPath, hints);
  }

  /** The same with a key for {@link MatchingPolicy#CUSTOM}. */
  public MatchingOptions withKey(KeyFunction key) {
    return new MatchingOptions(kind, buckets, key, bins, maxReceives, threads, fastPath, hints);
  }

  /** The same with another number of bins, a power of two; of kind {@link Kind#ORDERED}. */
  public MatchingOptions bins(int bins) {
    requireKind(Kind.ORDERED, "bins");
    return new MatchingOptions(kind, buckets, key, bins, maxReceives, threads, fastPath, hints);
  }

  /** The same with another size of the table of receives; of kind {@link Kind#ORDERED}. */
  public MatchingOptions maxReceives(int maxReceives) {
    requireKind(Kind.ORDERED, "maxReceives");
    return new MatchingOptions(kind, buckets, key, bins, maxReceives, threads, fastPath, hints);
  }

  /**
   * The same with so many matching threads, which stand in for those of a network card: threads of
   * the program that post or make progress hand receives and messages over, and do not match. They
   * match blocks of up to as many messages at once, copy or fetch them, and signal completion, so
   * handlers run there. A thread of the program that probes, claims, cancels, asks how much waits
   * or for {@link MatchingEngine#info info}, or closes the engine, first matches itself what was
   * handed over before, and runs the handlers of that. 0 for none. On a machine without a core for
   * each it is slower than none. Of kind {@link Kind#ORDERED}.
   */
  public MatchingOptions threads(int threads) {
    return new MatchingOptions(kind, buckets, key, bins, maxReceives, threads, fastPath, hints);
  }

  /** The same with or without the fast path of matching threads; of kind {@link Kind#ORDERED}. */
  public MatchingOptions fastPath(boolean fastPath) {
    requireKind(Kind.ORDERED, "fastPath");
    return new MatchingOptions(kind, buckets, key, bins, maxReceives, threads, fastPath, hints);
  }

  /** The same with other hints. All ranks give the same. */
  public MatchingOptions hints(MatchingHints hints) {
    return new MatchingOptions(kind, buckets, key, bins, maxReceives, threads, fastPath, hints);
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
