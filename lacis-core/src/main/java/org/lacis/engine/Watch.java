package org.lacis.engine;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.lacis.CommunicationException;
import org.lacis.Counters;
import org.lacis.MatchingPolicy;
import org.lacis.Post;
import org.lacis.engine.jfr.Trace;

/**
 * Counts what a device does, and tells the Flight Recorder. Where messages are quick nothing is
 * stored: what progress does is counted by the one thread that makes it, in a cache line of its
 * own; the rest by {@link LongAdder}s, on paths that are slow anyway, or if the user asks for it.
 */
final class Watch {

  /** 128 bytes of longs. */
  private static final int ALONE = 16;

  // Where progress counts; of messages, bytes come next.
  private static final int POLLS = ALONE;
  private static final int EMPTY_POLLS = ALONE + 1;
  private static final int INLINE = ALONE + 2;
  private static final int IN_PACKETS = ALONE + 4;
  private static final int UNEXPECTED = ALONE + 6;
  private static final int EARLY = ALONE + 7;
  private static final int LAST_POLL = ALONE + 8;

  /**
   * Progress calls from one reading of the clock to the next, which takes as long as one of them.
   */
  private static final int READINGS = 256;

  private static final MatchingPolicy[] POLICIES = MatchingPolicy.values();
  private static final int NO_ENGINE = -1;

  /** What is posted. */
  enum Kind {
    SEND("send"),
    RECEIVE("recv"),
    ACTIVE("am"),
    PUT("put"),
    GET("get"),
    ATOMIC("atomic");

    private final String call;

    Kind(String call) {
      this.call = call;
    }
  }

  final Flow injected = new Flow();
  final Flow copied = new Flow();
  final Flow zeroCopied = new Flow();
  final Flow put = new Flow();
  final Flow got = new Flow();
  final Flow fetched = new Flow();
  final LongAdder atomics = new LongAdder();

  private final int ownRank;
  private final int device;

  /** Whether posts, completions and injected messages are counted too. */
  private final boolean everything;

  private final CoarseClock clock;

  /** By peer: the completion, plus 1, that was full when a message of that peer came last. */
  private final int[] heldUpBy;

  private final long[] byProgress = new long[3 * ALONE];
  private final LongAdder[] posts = adders(Kind.values().length);
  private final LongAdder[] retries = adders(Post.values().length);
  private final LongAdder completed = new LongAdder();
  private final LongAdder backlogged = new LongAdder();
  private final LongAdder failed = new LongAdder();

  /** Messages and bytes. */
  static final class Flow {
    private final LongAdder messages = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    void add(long length) {
      messages.increment();
      bytes.add(length);
    }

    private Counters.Traffic now() {
      return new Counters.Traffic(messages.sum(), bytes.sum());
    }
  }

  /** Starts at zero. */
  Watch(Engine engine, int device) {
    this.clock = engine.clock;
    this.ownRank = engine.rank();
    this.device = device;
    this.everything = engine.options().counters();
    this.heldUpBy = new int[engine.size()];
    byProgress[LAST_POLL] = clock.now();
  }

  private static LongAdder[] adders(int n) {
    LongAdder[] adders = new LongAdder[n];
    for (int i = 0; i < n; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }

  /** Whether posts are looked at; asked first, so that nothing is kept for it otherwise. */
  boolean posts() {
    return everything || Trace.isOn();
  }

  /** A post was answered; what is in its frame says which matching engine it is for. */
  void posted(Kind kind, int peer, long h0, long length, Post answer) {
    if (everything && !answer.isRetry()) {
      posts[kind.ordinal()].increment();
    }
    if (Trace.isOn()) {
      boolean matched = kind == Kind.SEND || kind == Kind.RECEIVE;
      Trace.post(
          ownRank,
          device,
          kind.call,
          peer,
          Frame.tag(h0),
          length,
          answer,
          matched ? Frame.index(h0) : NO_ENGINE,
          matched ? POLICIES[Frame.policy(h0)].name() : null);
    }
  }

  /** A message that waited was taken out of its matching engine, by what was asked for. */
  void claimed(Operation message, int source, int tag) {
    if (Trace.isOn()) {
      matched(message, false);
      Trace.post(
          ownRank,
          device,
          "claim",
          source,
          tag,
          ClaimedRecord.length(message),
          Post.DONE,
          Frame.index(message.h0),
          POLICIES[Frame.policy(message.h0)].name());
    }
  }

  /** A message is going to be sent by this protocol. */
  void protocol(int peer, long length, String protocol) {
    if (Trace.isOn()) {
      Trace.protocol(ownRank, device, peer, length, protocol);
    }
  }

  /** A receive and a message that was kept have met. */
  void matched(Operation message, boolean expected) {
    if (Trace.isOn()) {
      matched(message.rank, message.h0, ClaimedRecord.length(message), expected);
    }
  }

  /** A receive was there when its message came. */
  void matched(int peer, long h0, long address, int length) {
    if (Trace.isOn()) {
      matched(peer, h0, Frame.isList(h0) ? ListFrame.total(address) : length, true);
    }
  }

  private void matched(int peer, long h0, long length, boolean expected) {
    Trace.match(
        ownRank,
        device,
        peer,
        Frame.tag(h0),
        length,
        expected,
        Frame.index(h0),
        POLICIES[Frame.policy(h0)].name());
  }

  void injected(long length) {
    if (everything) {
      injected.add(length);
    }
  }

  /** A post is going to be answered with a retry; that answer. */
  Post retry(int peer, Post reason) {
    retries[reason.ordinal()].increment();
    if (Trace.isOn()) {
      Trace.retry(ownRank, device, peer, reason);
    }
    return reason;
  }

  void backlogged(int peer, Operation.State state, int length) {
    backlogged.increment();
    if (Trace.isOn()) {
      Trace.backlog(ownRank, device, peer, state.name(), length);
    }
  }

  void completed() {
    if (everything) {
      completed.increment();
    }
  }

  /** A peer is gone. */
  void gone(int peer) {
    if (Trace.isOn()) {
      Trace.peerGone(ownRank, device, peer);
    }
  }

  void failed(int peer, int tag, CommunicationException error) {
    failed.increment();
    if (Trace.isOn()) {
      Trace.failure(ownRank, device, peer, tag, error);
    }
  }

  // ---- by the thread that makes progress

  void polled(int work) {
    long[] n = byProgress;
    if ((n[POLLS]++ & (READINGS - 1)) == 0) {
      clock.read();
    }
    n[LAST_POLL] = clock.now();
    if (work == 0) {
      n[EMPTY_POLLS]++;
    }
  }

  /** A message was taken that came in a frame, or in a packet if it has a lease. */
  void received(int length, long lease) {
    long[] n = byProgress;
    int at = lease == 0 ? INLINE : IN_PACKETS;
    n[at]++;
    n[at + 1] += length;
  }

  void unexpected() {
    byProgress[UNEXPECTED]++;
  }

  void early() {
    byProgress[EARLY]++;
  }

  /** A message of a peer stays in the network, as the queue it is for is full. */
  void heldUp(int peer, int completion) {
    heldUpBy[peer] = completion + 1;
  }

  // ---- any thread

  /** Whether that was so for the last message of the peer that has found a queue full. */
  boolean isHeldUp(int peer, int completion) {
    return heldUpBy[peer] == completion + 1;
  }

  Counters counters() {
    Map<Post, Long> reasons = new EnumMap<>(Post.class);
    for (Post answer : Post.values()) {
      if (answer.isRetry()) {
        reasons.put(answer, retries[answer.ordinal()].sum());
      }
    }
    return new Counters(
        everything,
        new Counters.Posts(
            posts(Kind.SEND),
            posts(Kind.RECEIVE),
            posts(Kind.ACTIVE),
            posts(Kind.PUT),
            posts(Kind.GET),
            posts(Kind.ATOMIC)),
        completed.sum(),
        injected.now(),
        copied.now(),
        zeroCopied.now(),
        put.now(),
        got.now(),
        atomics.sum(),
        received(INLINE),
        received(IN_PACKETS),
        fetched.now(),
        byProgress[UNEXPECTED],
        byProgress[EARLY],
        reasons,
        backlogged.sum(),
        failed.sum(),
        byProgress[POLLS],
        byProgress[EMPTY_POLLS]);
  }

  /** When progress was made last, by the coarse clock. */
  long lastPoll() {
    return byProgress[LAST_POLL];
  }

  private long posts(Kind kind) {
    return posts[kind.ordinal()].sum();
  }

  private Counters.Traffic received(int at) {
    return new Counters.Traffic(byProgress[at], byProgress[at + 1]);
  }
}
