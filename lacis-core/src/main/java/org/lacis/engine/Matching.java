package org.lacis.engine;

import org.lacis.Info;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.MatchingPolicy;
import org.lacis.match.HashMatcher;
import org.lacis.match.Matcher;

/** A matching engine with its number, which goes over the wire. */
final class Matching implements MatchingEngine {

  private static final int RANK_TAG = MatchingPolicy.RANK_TAG.ordinal();
  private static final int RANK_ONLY = MatchingPolicy.RANK_ONLY.ordinal();
  private static final int TAG_ONLY = MatchingPolicy.TAG_ONLY.ordinal();

  final Engine engine;
  final int index;
  private final String name;
  final Matcher matcher;
  private final MatchingOptions options;
  volatile boolean closed;

  Matching(Engine engine, int index, String name, MatchingOptions options) {
    this.engine = engine;
    this.index = index;
    this.name = name;
    this.options = options;
    this.matcher = new HashMatcher(options.buckets());
  }

  /**
   * The policy in the two top bits, so that sends and receives of different policies never meet.
   */
  long key(int policy, int rank, int tag) {
    long key;
    if (policy == RANK_TAG) {
      key = ((long) rank << 32) | tag;
    } else if (policy == RANK_ONLY) {
      key = (long) rank << 32;
    } else if (policy == TAG_ONLY) {
      key = tag;
    } else {
      key = customKey(rank, tag);
    }
    return (key & (-1L >>> 2)) | ((long) policy << 62);
  }

  private long customKey(int rank, int tag) {
    MatchingOptions.KeyFunction f = options.key();
    if (f == null) {
      throw new IllegalArgumentException(
          "matching policy CUSTOM needs a matching engine made with MatchingOptions.withKey");
    }
    return f.key(rank, tag);
  }

  /** Refuses what cannot be matched here. */
  void check(int policy) {
    if (closed) {
      throw new IllegalStateException("the matching engine is closed");
    }
    if (!knows(policy)) {
      throw new IllegalArgumentException(
          "matching policy CUSTOM needs a matching engine made with MatchingOptions.withKey");
    }
  }

  boolean knows(int policy) {
    return policy != MatchingPolicy.CUSTOM.ordinal() || options.key() != null;
  }

  @Override
  public MatchingOptions options() {
    return options;
  }

  @Override
  public long waitingReceives() {
    return matcher.receives();
  }

  @Override
  public long waitingMessages() {
    return matcher.arrivals();
  }

  @Override
  public Info info() {
    return Info.of(
        "matching engine",
        name,
        "index",
        index,
        "buckets",
        options.buckets(),
        "custom key",
        options.key() != null,
        "closed",
        closed,
        "waiting receives",
        waitingReceives(),
        "waiting messages",
        waitingMessages());
  }

  @Override
  public void close() {
    if (index == 0) {
      throw new IllegalStateException("the default matching engine is closed with its runtime");
    }
    shut();
  }

  /** Fails what waits. */
  void shut() {
    closed = true;
    matcher.drain(entry -> ((Operation) entry).table.device.dropWaiting((Operation) entry));
  }

  @Override
  public String toString() {
    return "MatchingEngine[" + name + "]";
  }
}
