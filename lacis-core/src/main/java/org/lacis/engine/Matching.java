package org.lacis.engine;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.lacis.ClaimedMessage;
import org.lacis.Info;
import org.lacis.Lacis;
import org.lacis.MatchingEngine;
import org.lacis.MatchingHints;
import org.lacis.MatchingOptions;
import org.lacis.MatchingPolicy;
import org.lacis.Status;
import org.lacis.match.HashMatcher;
import org.lacis.match.ListMatcher;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;
import org.lacis.match.OffloadedMatcher;
import org.lacis.match.OrderedKeys;
import org.lacis.match.OrderedMatcher;

/** A matching engine with its number, which goes over the wire. */
final class Matching implements MatchingEngine {

  /** Among {@link #strangers}: somebody, since this one was closed. */
  private static final int ANYBODY = -1;

  private static final int RANK_TAG = MatchingPolicy.RANK_TAG.ordinal();
  private static final int RANK_ONLY = MatchingPolicy.RANK_ONLY.ordinal();
  private static final int TAG_ONLY = MatchingPolicy.TAG_ONLY.ordinal();

  final Engine engine;
  final int index;
  private final String name;
  final Matcher matcher;

  /** What an ordered engine keeps receives in; null if it is of another kind. */
  private final @Nullable OrderedMatcher tables;

  /** Whether receives may leave things open, and policies have no meaning. */
  final boolean ordered;

  /** Null if messages may overtake each other. */
  final @Nullable SendOrder sendOrder;

  /** Null if messages may overtake each other. */
  final @Nullable ArrivalOrder arrivalOrder;

  /** What its messages have in their header. */
  final long style;

  /** Ranks that have sent by an engine of another style. */
  private final Set<Integer> strangers;

  private final MatchingOptions options;
  volatile boolean closed;

  Matching(Engine engine, int index, String name, MatchingOptions options) {
    this.engine = engine;
    this.index = index;
    this.name = name;
    this.options = options;
    this.strangers = ConcurrentHashMap.newKeySet();
    this.ordered = options.isOrdered();
    MatchingHints hints = options.hints();
    this.style = Frame.style(ordered ? hints : null);
    boolean numbered = ordered && !hints.allowOvertaking();
    this.sendOrder = numbered ? new SendOrder(engine.size()) : null;
    this.arrivalOrder = numbered ? new ArrivalOrder(engine.size()) : null;
    this.tables = options.kind() == MatchingOptions.Kind.ORDERED ? tables(options) : null;
    this.matcher =
        tables != null
            ? offloaded(tables)
            : ordered ? new ListMatcher() : new HashMatcher(options.buckets());
  }

  /** The one that a user has named, if it is of this runtime. */
  static Matching of(Engine engine, MatchingEngine named) {
    Matching m = (Matching) Objects.requireNonNull(named, "matching engine");
    if (m.engine != engine) {
      throw new IllegalArgumentException("matching engine belongs to another runtime");
    }
    return m;
  }

  private static OrderedMatcher tables(MatchingOptions options) {
    MatchingHints hints = options.hints();
    int open =
        (hints.noAnySource() ? 0 : OrderedKeys.ANY_SOURCE)
            | (hints.noAnyTag() ? 0 : OrderedKeys.ANY_TAG);
    return new OrderedMatcher(
        options.bins(),
        options.maxReceives(),
        open,
        hints.allowOvertaking(),
        options.threads() == 0);
  }

  private Matcher offloaded(OrderedMatcher tables) {
    int threads = options.threads();
    if (threads == 0) {
      return tables;
    }
    boolean crowded = engine.waiting().crowd(threads);
    return new OffloadedMatcher(
        tables, threads, options.fastPath(), crowded, engine.handing, Matching::met);
  }

  /** A matching thread has brought them together. */
  private static void met(MatchEntry receive, MatchEntry message) {
    Operation arrived = (Operation) message;
    arrived.table.device.receives.meet((Operation) receive, arrived);
  }

  /** Whether a message that is kept may have a receive all the same. */
  boolean matchesLater() {
    return matcher instanceof OffloadedMatcher;
  }

  /** Whether no matching thread has anything to do with what has come. */
  boolean isSettled() {
    return !(matcher instanceof OffloadedMatcher offloaded) || offloaded.isSettled();
  }

  /**
   * What stands in the way of a policy in a receive by an ordered engine: what it leaves open.
   * Ranks and tags that are neither open nor possible are left to other checks.
   */
  int open(int rank, int tag) {
    if (!ordered && (rank == Lacis.ANY_SOURCE || tag == Lacis.ANY_TAG)) {
      boolean source = rank == Lacis.ANY_SOURCE;
      throw new IllegalArgumentException(
          (source ? "ANY_SOURCE" : "ANY_TAG")
              + " needs an ordered matching engine (MatchingOptions.ordered()); with this one use"
              + " the policy "
              + (source ? "TAG_ONLY" : "RANK_ONLY, with any tag from 0,")
              + " on both sides");
    }
    refuse(rank == Lacis.ANY_SOURCE && options.hints().noAnySource(), "ANY_SOURCE", "noAnySource");
    refuse(tag == Lacis.ANY_TAG && options.hints().noAnyTag(), "ANY_TAG", "noAnyTag");
    return (rank == Lacis.ANY_SOURCE ? OrderedKeys.ANY_SOURCE : 0)
        | (tag == Lacis.ANY_TAG ? OrderedKeys.ANY_TAG : 0);
  }

  private static void refuse(boolean given, String what, String hint) {
    if (given) {
      throw new IllegalArgumentException(
          what + " is given, but the matching engine was made with the hint " + hint);
    }
  }

  /** The key of a receive, of which rank and tag are checked. */
  private long receiveKey(int rank, int tag) {
    if (closed) {
      throw new IllegalStateException("the matching engine is closed");
    }
    int open = rank < 0 || tag < 0 ? open(rank, tag) : 0;
    if ((open & OrderedKeys.ANY_SOURCE) == 0) {
      engine.defaultDevice().checks.rank(rank);
    }
    if ((open & OrderedKeys.ANY_TAG) == 0) {
      DevicePoster.checkTag(tag);
    }
    return key(open, rank, tag);
  }

  @Override
  public boolean probe(int source, int tag, Status status) {
    Objects.requireNonNull(status, "status");
    long key = receiveKey(source, tag);
    return ((StatusRecord) status).probe(matcher, key);
  }

  @Override
  public boolean claim(int source, int tag, ClaimedMessage message) {
    Objects.requireNonNull(message, "message");
    return ((ClaimedRecord) message).claim(this, receiveKey(source, tag), source, tag);
  }

  /**
   * The policy in the two top bits, so that sends and receives of different policies never meet.
   */
  long key(int policy, int rank, int tag) {
    long key;
    if (policy == RANK_TAG) {
      key = ((long) rank << 32) | tag;
    } else if (ordered) {
      return OrderedKeys.key(policy, rank, tag);
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
    if (ordered && policy != RANK_TAG) {
      throw new IllegalArgumentException(
          "the policy must be RANK_TAG with an ordered matching engine, but is "
              + MatchingPolicy.values()[policy]
              + "; receives may have ANY_SOURCE and ANY_TAG instead");
    }
    if (!knows(policy)) {
      throw new IllegalArgumentException(
          "matching policy CUSTOM needs a matching engine made with MatchingOptions.withKey");
    }
  }

  /** Whether a message can be matched here, and was sent by an engine like this one. */
  boolean takes(long h0) {
    return !closed && Frame.isOfStyle(h0, style) && knows(Frame.policy(h0));
  }

  /** A rank has sent what this one does not take; whether to tell. That it is closed, once. */
  boolean isNews(int source) {
    return strangers.add(closed ? ANYBODY : source);
  }

  private boolean knows(int policy) {
    return policy == RANK_TAG
        || (!ordered && (policy != MatchingPolicy.CUSTOM.ordinal() || options.key() != null));
  }

  /** Which one it is, for who reads of a mistake. */
  String described() {
    return "%s (number %d, %s)".formatted(name, index, described(Frame.hints(style)));
  }

  /** An engine with these hints, which is not an ordered one if there are none. */
  static String described(@Nullable MatchingHints hints) {
    return hints == null ? "not ordered" : "ordered, " + hints;
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
    Map<String, Object> counts = new LinkedHashMap<>();
    if (tables != null) {
      counts.put("bins", options.bins());
      counts.put("max receives", options.maxReceives());
      counts.put("threads", options.threads());
    } else if (!ordered) {
      counts.put("buckets", options.buckets());
    }
    if (arrivalOrder != null) {
      counts.put("parked", arrivalOrder.parked());
    }
    if (tables != null) {
      counts.put("table full", tables.fallbacks());
      counts.put("back in table", tables.returns());
    }
    if (matcher instanceof OffloadedMatcher offloaded) {
      counts.putAll(offloaded.counts().asMap());
    }
    return basics().with(counts);
  }

  private Info basics() {
    return Info.of(
        "matching engine",
        name,
        "index",
        index,
        "kind",
        options.kind().name().toLowerCase(Locale.ROOT),
        ordered ? "hints" : "custom key",
        ordered ? options.hints() : options.key() != null,
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
    if (shut()) {
      // Its tables go; whoever sends to its number finds it closed.
      engine.matchings.replace(index, new Matching(this));
    }
  }

  /** What is left of an engine that was closed. */
  private Matching(Matching closed) {
    this.engine = closed.engine;
    this.index = closed.index;
    this.name = closed.name;
    this.options = MatchingOptions.defaults().withBuckets(1);
    this.tables = null;
    this.matcher = new HashMatcher(1);
    this.ordered = false;
    this.style = 0;
    this.sendOrder = null;
    this.arrivalOrder = null;
    this.strangers = closed.strangers;
    this.closed = true;
  }

  /** Fails what waits; false if it was closed before. */
  boolean shut() {
    boolean first;
    synchronized (this) {
      first = !closed;
      closed = true;
    }
    if (first && matcher instanceof OffloadedMatcher offloaded) {
      offloaded.close();
      engine.waiting().crowd(-options.threads());
    }
    drain();
    return first;
  }

  /**
   * Something was put into it, perhaps after it was closed, in which case it fails like the rest.
   */
  void drainIfClosed() {
    if (closed) {
      drain();
    }
  }

  private void drain() {
    ArrivalOrder order = arrivalOrder;
    if (order != null) {
      order.drain(early -> early.table.device.dropWaiting(early));
    }
    matcher.drain(entry -> ((Operation) entry).table.device.dropWaiting((Operation) entry));
  }

  @Override
  public String toString() {
    return "MatchingEngine[" + name + "]";
  }
}
