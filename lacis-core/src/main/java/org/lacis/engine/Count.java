package org.lacis.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.Counter;
import org.lacis.Info;
import org.lacis.Status;

/** The counter. */
final class Count implements Counter, Waiting.Condition {

  private static final VarHandle COUNT;
  private static final VarHandle FAILURES;
  private static final VarHandle OWNER;
  private static final VarHandle OWN;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      COUNT = lookup.findVarHandle(Count.class, "count", long.class);
      FAILURES = lookup.findVarHandle(Count.class, "failures", long.class);
      OWNER = lookup.findVarHandle(Count.class, "owner", Thread.class);
      OWN = lookup.findVarHandle(Count.class, "own", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Engine engine;
  private final String name;
  private final Waiters waiters = new Waiters();

  /** What all threads but the owner have counted. */
  private volatile long count;

  private volatile long failures;

  /** The first thread that has counted, which needs no atomic instruction; its successor. */
  private volatile @Nullable Thread owner;

  /** What owners have counted. Written by the owner alone. */
  private volatile long own;

  Count(Engine engine, String name) {
    this.engine = engine;
    this.name = name;
  }

  @Override
  public void signal(Status status) {
    if (Objects.requireNonNull(status, "status").failed()) {
      FAILURES.getAndAdd(this, 1L);
    }
    signal();
  }

  /** Counts an operation that has gone well: nothing else of it is asked for. */
  void signal() {
    Thread me = Thread.currentThread();
    Thread one = owner;
    if (one == me || ((one == null || !one.isAlive()) && OWNER.compareAndSet(this, one, me))) {
      OWN.setRelease(this, own + 1);
    } else {
      COUNT.getAndAdd(this, 1L);
    }
    waiters.wake();
  }

  @Override
  public long count() {
    return own + count;
  }

  @Override
  public long failures() {
    return failures;
  }

  @Override
  public void await(long count) {
    engine.waiting().await(this, count, waiters, Waiting.FOREVER);
  }

  @Override
  public boolean await(long count, Duration limit) {
    return engine.waiting().await(this, count, waiters, Waiting.nanos(limit));
  }

  @Override
  public boolean met(long target) {
    return count() >= target;
  }

  @Override
  public String describe(long target) {
    return this + " to reach " + target;
  }

  @Override
  public Info info() {
    return Info.of("counter", name, "count", count(), "failures", failures);
  }

  @Override
  public String toString() {
    return "Counter["
        + name
        + ", "
        + count()
        + (failures == 0 ? "]" : ", failed " + failures + "]");
  }
}
