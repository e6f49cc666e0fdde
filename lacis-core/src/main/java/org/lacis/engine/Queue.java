package org.lacis.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.CompletionQueue;
import org.lacis.Info;
import org.lacis.QueueOptions;
import org.lacis.Status;

/**
 * The completion queue: a ring of records. One that is full and must take more is sealed and gets a
 * larger successor; readers go on to that when they have emptied it.
 */
final class Queue implements CompletionQueue, Bounded, Waiting.Condition {

  private final Engine engine;
  private final String name;
  private final boolean growing;

  /** How many peers may fill, unless it grows. */
  private final int capacity;

  private final Waiters waiters = new Waiters();

  /** The ring that is written to, the last one. */
  private volatile Ring writing;

  /** The ring that is read from; it and those behind it hold what is in the queue. */
  private volatile Ring reading;

  private volatile boolean closed;

  Queue(Engine engine, String name, QueueOptions options) {
    this.engine = engine;
    this.name = name;
    this.growing = options.growing();
    this.capacity = options.capacity();
    this.writing = new Ring(capacity);
    this.reading = writing;
  }

  /** Records, and which of them is whose. */
  private static final class Ring {
    final CellRing places;
    final StatusRecord[] records;
    volatile @Nullable Ring next;

    Ring(int capacity) {
      places = new CellRing(capacity);
      records = new StatusRecord[capacity];
      MemorySegment slab = Arena.ofAuto().allocate((long) capacity * StatusRecord.INLINE_BYTES, 64);
      for (int i = 0; i < capacity; i++) {
        records[i] =
            new StatusRecord(
                slab.asSlice((long) i * StatusRecord.INLINE_BYTES, StatusRecord.INLINE_BYTES));
      }
    }

    boolean push(StatusRecord status) {
      int at = places.claimWrite();
      if (at < 0) {
        return false;
      }
      status.tellTo(records[at]);
      places.publish(at);
      return true;
    }

    boolean pop(Status into) {
      int at = places.claimRead();
      if (at < 0) {
        return false;
      }
      records[at].moveTo(into);
      places.free(at);
      return true;
    }
  }

  @Override
  public boolean offer(StatusRecord status) {
    if (growing) {
      signal(status);
      return true;
    }
    if (closed) {
      status.close();
      return true;
    }
    Ring last = writing;
    // One that has grown, for completions of this rank, has more places than peers may fill.
    boolean taken = (last.records.length == capacity || length() < capacity) && last.push(status);
    if (taken) {
      waiters.wake();
    }
    return taken;
  }

  @Override
  public void signal(Status status) {
    StatusRecord record = (StatusRecord) Objects.requireNonNull(status, "status");
    if (closed) {
      record.close();
      return;
    }
    for (Ring last = writing; !last.push(record); last = writing) {
      growBehind(last);
    }
    waiters.wake();
  }

  private synchronized void growBehind(Ring full) {
    if (writing == full) {
      Ring added = new Ring(Math.min(2 * full.records.length, QueueOptions.MAX_CAPACITY));
      full.next = added;
      full.places.seal();
      writing = added;
    }
  }

  @Override
  public boolean pop(Status into) {
    if (popIfAny(required(into))) {
      return true;
    }
    into.close();
    return false;
  }

  private boolean popIfAny(Status into) {
    Ring first = reading;
    while (!first.pop(into)) {
      if (!first.places.isDrained()) {
        return false;
      }
      first = successor(first);
    }
    return true;
  }

  private synchronized Ring successor(Ring drained) {
    if (reading == drained) {
      reading = Objects.requireNonNull(drained.next);
    }
    return reading;
  }

  @Override
  public int pop(Status[] into) {
    required(into);
    return popFrom(into, 0);
  }

  /** Fills statuses from a certain one on, and answers the first that was left. */
  private int popFrom(Status[] into, int first) {
    int n = first;
    while (n < into.length && popIfAny(into[n])) {
      n++;
    }
    return n;
  }

  /** Looked for before anything is taken: what has left its cell would be lost. */
  private static Status required(Status into) {
    return Objects.requireNonNull(into, "into");
  }

  private static void required(Status[] into) {
    for (int i = 0; i < into.length; i++) {
      if (into[i] == null) {
        throw new NullPointerException(
            "into[" + i + "] is null: make the statuses with Status.create(" + into.length + ")");
      }
    }
  }

  @Override
  public void take(Status into) {
    required(into);
    while (!popIfAny(into)) {
      awaitOne(Waiting.FOREVER);
    }
  }

  @Override
  public boolean take(Status into, Duration limit) {
    required(into);
    long deadline = System.nanoTime() + Waiting.nanos(limit);
    while (!popIfAny(into)) {
      if (!awaitOne(deadline - System.nanoTime())) {
        return pop(into);
      }
    }
    return true;
  }

  @Override
  public int take(Status[] into) {
    required(into);
    int n = popFrom(into, 0);
    while (n == 0 && into.length > 0) {
      awaitOne(Waiting.FOREVER);
      n = popFrom(into, 0);
    }
    return n;
  }

  @Override
  public int take(Status[] into, Duration limit) {
    return take(into, 1, limit);
  }

  @Override
  public int takeAll(Status[] into, Duration limit) {
    return take(into, into.length, limit);
  }

  private int take(Status[] into, int least, Duration limit) {
    required(into);
    long deadline = System.nanoTime() + Waiting.nanos(limit);
    int enough = Math.min(least, into.length);
    int n = popFrom(into, 0);
    while (n < enough && awaitOne(deadline - System.nanoTime())) {
      n = popFrom(into, n);
    }
    return n;
  }

  /** Waits until there is something in it; false if the time is over. */
  private boolean awaitOne(long nanos) {
    if (closed) {
      throw new IllegalStateException("the completion queue is closed");
    }
    return nanos > 0 && engine.waiting().await(this, 1, waiters, nanos);
  }

  @Override
  public boolean met(long target) {
    return closed || length() >= target;
  }

  @Override
  public String describe(long target) {
    return "something in " + this;
  }

  @Override
  public int length() {
    int n = 0;
    for (Ring ring = reading; ring != null; ring = ring.next) {
      n += ring.places.size();
    }
    return n;
  }

  /** Whether peers find no room in it. */
  boolean isFull() {
    return !growing && !closed && length() >= capacity;
  }

  @Override
  public int capacity() {
    return growing ? writing.records.length : capacity;
  }

  @Override
  public Info info() {
    return Info.of(
        "completion queue",
        name,
        "capacity",
        capacity(),
        "growing",
        growing,
        "closed",
        closed,
        "length",
        length());
  }

  @Override
  public void close() {
    closed = true;
    waiters.wake();
    try (Status dropped = Status.create()) {
      while (popIfAny(dropped)) {
        dropped.close();
      }
    }
  }

  @Override
  public String toString() {
    return "CompletionQueue[" + name + ", " + length() + " of " + capacity() + "]";
  }
}
