package org.lacis.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.lacis.CompletionQueue;
import org.lacis.Status;

/**
 * The completion queue: a ring of records, and a list behind it for local completions that do not
 * fit.
 */
final class Queue implements CompletionQueue, Bounded, Waiting.Condition {

  private final Engine engine;
  private final CellRing ring;
  private final StatusRecord[] cells;
  private final Waiters waiters = new Waiters();

  private final Overflow overflow = new Overflow();
  private volatile boolean closed;

  Queue(Engine engine, int capacity) {
    this.engine = engine;
    this.ring = new CellRing(capacity);
    this.cells = new StatusRecord[capacity];
    MemorySegment slab = Arena.ofAuto().allocate((long) capacity * StatusRecord.INLINE_BYTES, 64);
    for (int i = 0; i < capacity; i++) {
      cells[i] =
          new StatusRecord(
              slab.asSlice((long) i * StatusRecord.INLINE_BYTES, StatusRecord.INLINE_BYTES));
    }
  }

  @Override
  public boolean offer(StatusRecord status) {
    if (closed) {
      status.close();
      return true;
    }
    // What came after something in the list must not overtake it.
    return overflow.isEmpty() && push(status);
  }

  private boolean push(StatusRecord status) {
    int at = ring.claimWrite();
    if (at < 0) {
      return false;
    }
    status.moveTo(cells[at]);
    ring.publish(at);
    waiters.wake();
    return true;
  }

  @Override
  public void signal(Status status) {
    StatusRecord record = (StatusRecord) status;
    if (!offer(record)) {
      overflow.add(record);
      waiters.wake();
    }
  }

  @Override
  public boolean pop(Status into) {
    int at = ring.claimRead();
    if (at >= 0) {
      cells[at].moveTo(into);
      ring.free(at);
      return true;
    }
    StatusRecord spilled = overflow.poll();
    if (spilled == null) {
      into.close();
      return false;
    }
    spilled.moveTo(into);
    return true;
  }

  @Override
  public void take(Status into) {
    while (!pop(into)) {
      requireOpen();
      engine.waiting().await(this, 1, waiters, Waiting.FOREVER);
    }
  }

  @Override
  public boolean take(Status into, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!pop(into)) {
      requireOpen();
      long left = deadline - System.nanoTime();
      if (left <= 0 || !engine.waiting().await(this, 1, waiters, left)) {
        return pop(into);
      }
    }
    return true;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the completion queue is closed");
    }
  }

  @Override
  public boolean met(long target) {
    return closed || length() >= target;
  }

  @Override
  public int length() {
    return ring.size() + overflow.size();
  }

  @Override
  public int capacity() {
    return cells.length;
  }

  @Override
  public void close() {
    closed = true;
    waiters.wake();
    try (Status dropped = Status.create()) {
      while (pop(dropped)) {
        dropped.close();
      }
    }
  }

  @Override
  public String toString() {
    return "CompletionQueue[" + length() + " of " + capacity() + "]";
  }
}
