package org.lacis.engine;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.PeerFailure;
import org.lacis.boot.Boot;
import org.lacis.boot.PeerLoss;
import org.lacis.net.PeerEnd;
import org.lacis.settings.Durations;

/**
 * Which ranks have failed, and who is told. A failure is found by a device as it is polled, or told
 * by the launcher; the first of these counts. The program's handler hears of each rank once, from
 * within progress.
 */
final class PeerFailures implements PeerLoss.Listener {

  private static final System.Logger LOG = System.getLogger("org.lacis");

  private final Engine engine;
  private final @Nullable Boot boot;
  private final AtomicReferenceArray<@Nullable PeerFailure> failures;

  /** By rank: not 0 if the handler knows. */
  private final AtomicIntegerArray told;

  private final Queue<PeerFailure> news = new ConcurrentLinkedQueue<>();
  private volatile boolean anyNews;
  private volatile int first = -1;
  private volatile @Nullable Consumer<PeerFailure> handler;

  PeerFailures(Engine engine, @Nullable Boot boot, int size) {
    this.engine = engine;
    this.boot = boot;
    this.failures = new AtomicReferenceArray<>(size);
    this.told = new AtomicIntegerArray(size);
  }

  /** Sets who is told; of those that have failed before, now. */
  void handler(Consumer<PeerFailure> added) {
    handler = added;
    for (int rank = 0; rank < failures.length(); rank++) {
      PeerFailure failure = failures.get(rank);
      if (failure != null) {
        tell(failure);
      }
    }
  }

  /** A device has found that a peer is gone. Within progress. */
  void gone(int rank, PeerEnd how) {
    switch (how) {
      case CLOSED -> {}
      case DIED -> found(rank, PeerFailure.Reason.DIED, "it has died, or has given this one up");
      case GAVE_UP ->
          found(
              rank,
              PeerFailure.Reason.DIED,
              "it has given this rank up, of which nothing was heard for the detection time: was it"
                  + " stopped, or cut off?");
      case SILENT ->
          found(
              rank,
              PeerFailure.Reason.SILENT,
              "nothing was heard of it for " + Durations.show(engine.options().detection()));
    }
  }

  private void found(int rank, PeerFailure.Reason reason, String why) {
    PeerFailure failure = new PeerFailure(rank, reason, "rank " + rank + " is gone: " + why);
    if (note(failure)) {
      if (boot != null) {
        boot.missed(rank, engine.options().detection(), failure.message());
      }
      tell(failure);
    }
  }

  private boolean note(PeerFailure failure) {
    boolean isNew = failures.compareAndSet(failure.rank(), null, failure);
    if (isNew) {
      first = first < 0 ? failure.rank() : first;
      engine.barrier.wake();
    }
    return isNew;
  }

  /** One of those that have failed, the first as far as that can be told; -1 if there is none. */
  int first() {
    return first;
  }

  /** Whether a rank is known to have failed, or to have closed its runtime. */
  boolean isGone(int rank) {
    if (hasFailed(rank)) {
      return true;
    }
    for (EngineDevice device : engine.devices()) {
      if (device.isGone(rank)) {
        return true;
      }
    }
    return false;
  }

  boolean hasFailed(int rank) {
    return failures.get(rank) != null;
  }

  /** The launcher says that a rank has failed; by any thread. */
  @Override
  public void lost(int rank, String why) {
    if (rank == engine.rank() || rank < 0 || rank >= failures.length()) {
      return;
    }
    news.add(
        new PeerFailure(
            rank, PeerFailure.Reason.DIED, "rank " + rank + " is gone: the launcher says: " + why));
    anyNews = true;
    engine.context().giveUp(rank);
  }

  boolean hasNews() {
    return anyNews;
  }

  /** Tells what the launcher has said. Within progress. */
  int tellNews() {
    anyNews = false;
    int count = 0;
    for (PeerFailure failure = news.poll(); failure != null; failure = news.poll()) {
      if (note(failure)) {
        tell(failure);
        count++;
      }
    }
    return count;
  }

  private void tell(PeerFailure failure) {
    Consumer<PeerFailure> now = handler;
    if (now == null || !told.compareAndSet(failure.rank(), 0, 1)) {
      return;
    }
    try {
      now.accept(failure);
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "the handler of peer failures has thrown", e);
    }
  }

  /** That an operation with a rank cannot be done: why, as far as it is known. */
  CommunicationException error(int rank) {
    PeerFailure failure = failures.get(rank);
    return failure == null ? Errors.gone(rank) : Errors.gone(rank, failure.message());
  }
}
