package org.lacis.engine;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.lacis.Idle;
import org.lacis.LacisException;
import org.lacis.net.NetContext;
import org.lacis.net.Patience;

/**
 * How threads wait: a platform thread makes progress while it spins briefly, then yields, then
 * parks for longer and longer; a virtual thread parks at once and leaves progress to the runtime's
 * own thread.
 */
final class Waiting {

  /** For a wait without a limit. */
  static final long FOREVER = Long.MAX_VALUE;

  /** What nanoseconds can say: 292 years. */
  private static final Duration LONGEST = Duration.ofNanos(FOREVER);

  private static final int SPINS = 2_000;
  private static final int CROWDED_SPINS = 20;

  /**
   * A parked virtual thread looks again after this, in case its wake-up fell between the chairs, or
   * the runtime was closed; then after twice as long, and so on. There may be a million of them.
   */
  private static final long FIRST_VIRTUAL_PARK_NANOS = 50_000_000;

  private static final long LONGEST_VIRTUAL_PARK_NANOS = 2_000_000_000;

  private final Engine engine;
  private final boolean alone;
  private final int localRanks;
  private final int cores;

  // Of this rank; the other ranks have as many.
  private int matchingThreads;

  /** Each is taken to have a thread of its own. */
  private int devices = 1;

  private volatile int spins;

  /** What is waited for. */
  interface Condition {
    /**
     * Whether the wait is over.
     *
     * @param target a number the condition may compare with
     */
    boolean met(long target);

    /** What is waited for, in words, asked by any thread. */
    default String describe(long target) {
      return toString();
    }
  }

  Waiting(Engine engine, NetContext context) {
    this.engine = engine;
    this.alone = context.size() == 1;
    this.localRanks = context.neighbours();
    this.cores = context.cores();
    look();
  }

  /**
   * So many matching threads more, or less, want a core.
   *
   * @return whether there are more threads than cores now
   */
  synchronized boolean crowd(int more) {
    matchingThreads += more;
    return look();
  }

  /** There are so many devices now. */
  synchronized void devices(int count) {
    devices = count;
    look();
  }

  private boolean look() {
    boolean crowded = cores < localRanks * (devices + matchingThreads);
    // With more threads than cores whoever spins keeps the one it waits for from running.
    spins = crowded || alone ? CROWDED_SPINS : SPINS;
    return crowded;
  }

  /** A limit in nanoseconds; one that is too long for them is {@link #FOREVER}. */
  static long nanos(Duration limit) {
    if (Objects.requireNonNull(limit, "limit").compareTo(LONGEST) >= 0) {
      return FOREVER;
    }
    return limit.isNegative() ? 0 : limit.toNanos();
  }

  /**
   * Waits.
   *
   * @param nanos how long at most, or {@link #FOREVER}
   * @return whether the condition was met in time
   */
  boolean await(Condition condition, long target, Waiters waiters, long nanos) {
    if (condition.met(target)) {
      return true;
    }
    engine.refuseWaitInHandler();
    long deadline = nanos == FOREVER ? 0 : System.nanoTime() + nanos;
    return Thread.currentThread().isVirtual()
        ? awaitVirtual(condition, target, waiters, nanos, deadline)
        : awaitPlatform(condition, target, waiters, nanos, deadline);
  }

  private boolean awaitPlatform(
      Condition condition, long target, Waiters waiters, long nanos, long deadline) {
    int idle = 0;
    int slept = 0;
    long begin = engine.clock.now();
    Waits.Wait listed = null;
    try {
      for (int look = 1; ; look++) {
        int work = engine.progress();
        if (condition.met(target)) {
          return true;
        }
        idle = work > 0 ? 0 : idle + 1;
        boolean sleep = Patience.step(idle, spins);
        if (sleep) {
          engine.clock.read();
          park(condition, target, waiters, Patience.sleepNanos(slept++));
        } else if (idle == 0) {
          slept = 0;
        }
        if (sleep || (look & 63) == 0) {
          check();
          if (nanos != FOREVER && System.nanoTime() - deadline >= 0) {
            return condition.met(target);
          }
          if (listed == null && engine.waits.isLong(begin)) {
            listed = list(condition, target, begin);
          }
        }
      }
    } finally {
      if (listed != null) {
        engine.waits.end(listed);
      }
    }
  }

  private Waits.Wait list(Condition condition, long target, long since) {
    return engine.waits.begin(() -> condition.describe(target), since);
  }

  /** A fresh one for a loop. */
  Idle idle() {
    return new Idle(spins);
  }

  private boolean awaitVirtual(
      Condition condition, long target, Waiters waiters, long nanos, long deadline) {
    engine.progressThread().enter();
    long begin = engine.clock.now();
    Waits.Wait listed = null;
    try {
      long nap = FIRST_VIRTUAL_PARK_NANOS;
      for (; ; ) {
        long left = nanos == FOREVER ? nap : deadline - System.nanoTime();
        if (left <= 0) {
          return condition.met(target);
        }
        park(condition, target, waiters, Math.min(left, nap));
        if (condition.met(target)) {
          return true;
        }
        check();
        nap = Math.min(2 * nap, LONGEST_VIRTUAL_PARK_NANOS);
        if (listed == null && engine.waits.isLong(begin)) {
          listed = list(condition, target, begin);
        }
      }
    } finally {
      if (listed != null) {
        engine.waits.end(listed);
      }
      engine.progressThread().leave();
    }
  }

  private void park(Condition condition, long target, Waiters waiters, long nanos) {
    Thread thread = Thread.currentThread();
    waiters.add(thread);
    try {
      if (!condition.met(target)) {
        LockSupport.parkNanos(this, nanos);
      }
    } finally {
      waiters.remove(thread);
    }
  }

  /** Whether waiting may go on. */
  void check() {
    engine.requireOpen();
    if (Thread.currentThread().isInterrupted()) {
      throw new LacisException(
          "interrupted while waiting for a completion; the interrupt flag is still set");
    }
  }
}
