package org.lacis.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.lacis.Device;
import org.lacis.Lacis;
import org.lacis.LacisOptions;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.PacketPool;
import org.lacis.PoolOptions;
import org.lacis.Post;

/**
 * The ranks of one job, all in this JVM. Unless a test says otherwise one thread drives them all:
 * it posts at one and makes progress on every one of them.
 *
 * <p>Closing it first checks that the test has left nothing under way and that no packet is
 * missing.
 */
public final class Job implements AutoCloseable {

  /** Small pools, rings and tables: quick to open, and soon full. */
  public static final LacisOptions OPTIONS =
      LacisOptions.defaults()
          .withPool(PoolOptions.defaults().withPackets(256))
          .withMatching(MatchingOptions.defaults().withBuckets(1024))
          .withRingCells(256)
          .withSharedBytes(64L << 20)
          .withQueueCapacity(256)
          .withOpenTimeout(Duration.ofSeconds(20));

  /** How long a test waits for anything. */
  static final Duration LIMIT = Duration.ofSeconds(30);

  /** Progress calls on every rank between two looks at the clock. */
  private static final int ROUNDS = 32;

  private final List<Lacis> ranks;
  private final List<Lacis> open;
  private final List<Device> devices = new ArrayList<>();
  private final List<MatchingEngine> engines = new ArrayList<>();
  private boolean checked = true;

  private Job(List<Lacis> ranks) {
    this.ranks = ranks;
    this.open = new ArrayList<>(ranks);
    for (Lacis rank : ranks) {
      devices.add(rank.device());
      engines.add(rank.matchingEngine());
    }
  }

  /**
   * Opens the ranks, each in a thread of its own.
   *
   * @param options of each rank
   */
  public static Job open(List<LacisOptions> options) {
    return new Job(inThreads("opening " + options.size() + " ranks", options, Lacis::open));
  }

  /** How many ranks there are. */
  public int size() {
    return ranks.size();
  }

  /** A rank. */
  public Lacis rank(int rank) {
    return ranks.get(rank);
  }

  /** All ranks, those that were closed too. */
  public List<Lacis> ranks() {
    return ranks;
  }

  /** Makes progress once on every rank. */
  public int progress() {
    int done = 0;
    for (Lacis rank : open) {
      done += rank.progress();
    }
    return done;
  }

  /** Makes progress for a while, so that what should not happen has the time to. */
  public void progressOn() {
    for (int i = 0; i < 50; i++) {
      progress();
    }
  }

  /**
   * Makes progress on every rank until a condition holds.
   *
   * @param what completes the sentence "waited 30 s for …"
   * @param condition is not asked again once it holds, so it may do something
   */
  public void until(String what, BooleanSupplier condition) {
    boolean[] holds = {false};
    Await.until(
        what,
        LIMIT,
        () -> {
          for (int i = 0; i < ROUNDS && !(holds[0] = condition.getAsBoolean()); i++) {
            progress();
          }
        },
        () -> holds[0]);
  }

  /** Posts until the answer is no retry, making progress on every rank in between. */
  public Post insist(String what, Supplier<Post> post) {
    Post first = post.get();
    if (!first.isRetry()) {
      return first;
    }
    Post[] answer = {first};
    until(
        "room for " + what,
        () -> {
          answer[0] = post.get();
          return !answer[0].isRetry();
        });
    return answer[0];
  }

  /** Posts until the answer is no retry, and waits until the operation is complete. */
  void finish(String what, Witness witness, Supplier<Post> post) {
    await(what, witness, insist(what, post));
  }

  /** Waits for an operation that was answered so. */
  void await(String what, Witness witness, Post answer) {
    if (answer.isPosted()) {
      until("the completion of " + what, witness::heard);
    }
  }

  /** Allocates a device at every rank; it is checked at the end like the default ones. */
  public List<Device> newDevices() {
    List<Device> added = together("allocating a device", Lacis::newDevice);
    devices.addAll(added);
    return added;
  }

  /** Allocates a matching engine at every rank; it is checked at the end like the default ones. */
  public List<MatchingEngine> newMatchingEngines(MatchingOptions options) {
    List<MatchingEngine> added =
        ranks.stream().map(rank -> rank.newMatchingEngine(options)).toList();
    engines.addAll(added);
    return added;
  }

  /** Does something at every rank, each in a thread of its own. */
  public <R> List<R> together(String what, Function<? super Lacis, ? extends R> action) {
    return inThreads(what, ranks, action);
  }

  /** Waits until nothing is under way and all packets are back. */
  public void checkIdle() {
    try {
      until("everything to end", () -> leftovers().isEmpty());
    } catch (AssertionError e) {
      throw new AssertionError("left over: " + leftovers(), e);
    }
  }

  private List<String> leftovers() {
    List<String> left = new ArrayList<>();
    for (Device device : devices) {
      add(left, device + ": pending", device.pending());
      add(left, device + ": backlog", device.backlog().length());
    }
    for (MatchingEngine engine : engines) {
      add(left, engine + ": waiting receives", engine.waitingReceives());
      add(left, engine + ": waiting messages", engine.waitingMessages());
    }
    for (Lacis rank : open) {
      PacketPool pool = rank.packetPool();
      add(left, rank + ": packets missing", pool.options().packets() - pool.available());
    }
    return left;
  }

  private static void add(List<String> left, String what, long count) {
    if (count != 0) {
      left.add(what + " " + count);
    }
  }

  /** Says that this test leaves something under way on purpose. */
  public void leaveUnfinished() {
    checked = false;
  }

  /** Closes one rank; whatever it had under way is not looked at any more. */
  public void close(int rank) {
    leaveUnfinished();
    open.remove(ranks.get(rank));
    ranks.get(rank).close();
  }

  /** Whether all who are there know that a rank is gone. */
  boolean isGone(int rank) {
    return open.stream().allMatch(lacis -> lacis.isGone(rank));
  }

  @Override
  public void close() {
    try {
      if (checked) {
        checkIdle();
      }
    } finally {
      ranks.forEach(Lacis::close);
    }
  }

  private static <T, R> List<R> inThreads(
      String what, List<T> sides, Function<? super T, ? extends R> action) {
    List<CompletableFuture<R>> ends = new ArrayList<>();
    for (T side : sides) {
      var end = new CompletableFuture<R>();
      ends.add(end);
      Thread.ofPlatform()
          .daemon()
          .name("rank " + (ends.size() - 1))
          .start(
              () -> {
                try {
                  end.complete(action.apply(side));
                } catch (Throwable failure) {
                  end.completeExceptionally(failure);
                }
              });
    }
    Await.until(
        what,
        () ->
            ends.stream().allMatch(CompletableFuture::isDone)
                || ends.stream().anyMatch(CompletableFuture::isCompletedExceptionally));
    for (CompletableFuture<R> end : ends) {
      if (end.isCompletedExceptionally()) {
        throw unchecked(end.exceptionNow());
      }
    }
    return ends.stream().map(CompletableFuture::join).toList();
  }

  private static RuntimeException unchecked(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof RuntimeException runtime ? runtime : new CompletionException(failure);
  }
}
