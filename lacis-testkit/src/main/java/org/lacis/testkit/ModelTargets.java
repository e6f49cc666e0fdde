package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.lacis.CompletionQueue;
import org.lacis.Counter;
import org.lacis.Handler;
import org.lacis.Lacis;
import org.lacis.RemoteCompletion;
import org.lacis.Status;
import org.lacis.Synchronizer;

/**
 * What a rank of a {@link Model} has registered for active messages and signals: one of each kind.
 */
final class ModelTargets {

  /** How many there are that can tell what has come; each has a number. */
  static final int TELLING = 3;

  private static final int HANDLER = 0;
  private static final int QUEUE = 1;
  private static final int SYNCHRONIZER = 2;
  private static final int KEPT = 3;

  private final Model model;
  private final int rank;
  private final CompletionQueue queue;
  private final Synchronizer synchronizer;
  private final Counter counter;
  private final List<RemoteCompletion> telling;
  private final RemoteCompletion counting;
  private final AtomicLong counted = new AtomicLong();

  /** What the handler has kept for later, with its payload. */
  private final Queue<Status> kept = new ConcurrentLinkedQueue<>();

  ModelTargets(Model model, int rank) {
    this.model = model;
    this.rank = rank;
    Lacis lacis = model.job.rank(rank);
    queue = lacis.newCompletionQueue();
    synchronizer = lacis.newSynchronizer();
    counter = lacis.newCounter();
    telling =
        List.of(
            lacis.register((Handler) status -> model.guard(() -> handle(status))),
            lacis.register(queue),
            lacis.register(synchronizer));
    counting = lacis.register(counter);
  }

  /** One that can tell what has come. */
  RemoteCompletion telling(int number) {
    return telling.get(number);
  }

  /** The one that can only count; one more will come. */
  RemoteCompletion counting() {
    counted.incrementAndGet();
    return counting;
  }

  private void handle(Status status) {
    if (status.tag() % 5 == 0 && kept.size() < KEPT) {
      Status later = Status.create();
      status.moveTo(later);
      kept.add(later);
    } else {
      check(status, HANDLER);
    }
  }

  /** Looks at what has come; one thread at a time looks at the synchronizer. */
  void look(boolean alsoSynchronizer) {
    try (Status status = Status.create()) {
      for (int i = 0; i < 4 && queue.pop(status); i++) {
        check(status, QUEUE);
      }
    }
    if (alsoSynchronizer && synchronizer.test()) {
      check(synchronizer.status(0), SYNCHRONIZER);
      synchronizer.status(0).close();
    }
    Status before = kept.poll();
    if (before != null) {
      check(before, HANDLER);
      before.close();
    }
  }

  private void check(Status status, int target) {
    Parcel parcel = model.find(status.tag(), "target of rank " + rank);
    assertThat(parcel.kind().signals()).as("%s signals a target", parcel).isTrue();
    assertThat(status.error()).as("%s", parcel).isNull();
    assertThat(status.rank()).as("source of %s", parcel).isEqualTo(parcel.source());
    assertThat(parcel.peer()).as("where %s came", parcel).isEqualTo(rank);
    assertThat(parcel.via()).as("what %s signalled", parcel).isEqualTo(target);
    assertThat(status.length()).as("length of %s", parcel).isEqualTo(parcel.size());
    if (parcel.kind() == Parcel.Kind.ACTIVE) {
      Pattern.check(parcel.toString(), status.payload(), parcel.number());
    } else if (parcel.kind() == Parcel.Kind.PUT_SIGNAL) {
      MemorySegment here = model.regions.get(rank).segment();
      Pattern.check(parcel.toString(), here, parcel.place(), parcel.size(), parcel.number());
    }
    model.arrived(parcel);
  }

  boolean isQuiet() {
    return kept.isEmpty() && counter.count() == counted.get();
  }

  /** Also checks that nothing came after the end. */
  void close() {
    look(true);
    assertThat(counter.count()).as("counted by rank %d", rank).isEqualTo(counted.get());
    synchronizer.status(0).close();
    queue.close();
  }

  @Override
  public String toString() {
    return "rank %d: %s, %s, %s of %d".formatted(rank, queue, synchronizer, counter, counted.get());
  }
}
