package org.lacis.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import org.lacis.CommunicationException;
import org.lacis.Info;
import org.lacis.Post;
import org.lacis.Status;
import org.lacis.Synchronizer;

/**
 * The synchronizer: one record per expected signal, claimed by a counter and counted by another
 * when filled.
 */
final class Sync implements Synchronizer, Bounded, Waiting.Condition {

  private static final VarHandle CLAIMED;
  private static final VarHandle ARRIVED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      CLAIMED = lookup.findVarHandle(Sync.class, "claimed", int.class);
      ARRIVED = lookup.findVarHandle(Sync.class, "arrived", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Engine engine;
  private final String name;
  private final int threshold;
  private final Waiters waiters = new Waiters();

  /** Filled by this round's signals. */
  private StatusRecord[] filling;

  /** Read by the user: the round that was taken last. */
  private StatusRecord[] taken;

  @SuppressWarnings("unused")
  private volatile int claimed;

  private volatile int arrived;

  /** Local completions beyond the threshold: they count for the next round. */
  private final Overflow early = new Overflow();

  Sync(Engine engine, String name, int threshold) {
    if (threshold < 1) {
      throw new IllegalArgumentException("threshold must be at least 1, but is " + threshold);
    }
    this.engine = engine;
    this.name = name;
    this.threshold = threshold;
    this.filling = records(threshold);
    this.taken = records(threshold);
  }

  private static StatusRecord[] records(int n) {
    StatusRecord[] records = new StatusRecord[n];
    for (int i = 0; i < n; i++) {
      records[i] = new StatusRecord();
    }
    return records;
  }

  @Override
  public int threshold() {
    return threshold;
  }

  @Override
  public boolean offer(StatusRecord status) {
    int at;
    do {
      at = (int) CLAIMED.getAcquire(this);
      if (at >= threshold) {
        return false;
      }
    } while (!CLAIMED.compareAndSet(this, at, at + 1));
    status.tellTo(filling[at]);
    if ((int) ARRIVED.getAndAdd(this, 1) == threshold - 1) {
      waiters.wake();
    }
    return true;
  }

  @Override
  public void signal(Status status) {
    StatusRecord record = (StatusRecord) Objects.requireNonNull(status, "status");
    if (!offer(record)) {
      early.add(record);
      waiters.wake();
    }
  }

  /** Only the thread that waits calls this. */
  @Override
  public boolean met(long target) {
    for (StatusRecord next = early.peek(); next != null && offer(next); next = early.peek()) {
      early.poll();
    }
    return arrived == threshold;
  }

  @Override
  public boolean test() {
    if (!met(0)) {
      return false;
    }
    takeRound();
    return true;
  }

  @Override
  public void await() {
    engine.waiting().await(this, 0, waiters, Waiting.FOREVER);
    takeRound();
  }

  @Override
  public void await(Post answer) {
    if (threshold != 1) {
      throw new IllegalStateException(
          "the answer of one operation tells nothing of " + threshold + ": use await()");
    }
    if (answer.isRetry()) {
      throw new IllegalArgumentException(
          "answer is "
              + answer
              + ": nothing was posted; post again, or with postBlocking, and wait then");
    }
    if (answer.isPosted()) {
      await();
    } else {
      taken[0].empty();
    }
  }

  @Override
  public boolean await(Duration limit) {
    if (!engine.waiting().await(this, 0, waiters, Waiting.nanos(limit))) {
      return false;
    }
    takeRound();
    return true;
  }

  private void takeRound() {
    StatusRecord[] round = filling;
    filling = taken;
    taken = round;
    arrived = 0;
    // From here on the next round's signals come in: they acquire the new arrays with this word.
    CLAIMED.setRelease(this, 0);
    for (StatusRecord record : round) {
      CommunicationException error = record.error();
      if (error != null) {
        throw error;
      }
    }
  }

  @Override
  public Status status(int index) {
    return taken[Objects.checkIndex(index, threshold)];
  }

  @Override
  public Info info() {
    return Info.of(
        "synchronizer", name, "threshold", threshold, "arrived", arrived, "ahead", early.size());
  }

  @Override
  public String toString() {
    return "Synchronizer[" + name + ", " + arrived + " of " + threshold + "]";
  }
}
