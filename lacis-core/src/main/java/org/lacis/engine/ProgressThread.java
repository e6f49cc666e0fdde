package org.lacis.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that makes progress on all devices of a runtime: always if the user asked for it, otherwise while virtual threads wait.
 * It is started when it is needed first.
 */
final class ProgressThread {

  private static final int SPINS = 1_000;
  private static final int YIELDS = 200;
  private static final long PARK_NANOS = 100_000;

  private final Engine engine;
  private final boolean always;
  private final AtomicInteger waiters = new AtomicInteger();
  private volatile @Nullable Thread thread;

  ProgressThread(Engine engine, boolean always) {
    this.engine = engine;
    this.always = always;
    if (always) {
      start();
    }
  }

  /** A virtual thread is going to park. */
  void enter() {
    if (waiters.getAndIncrement() == 0) {
      Thread t = thread;
      if (t == null) {
        start();
      } else {
        LockSupport.unpark(t);
      }
    }
  }

  /** It is back. */
  void leave() {
    waiters.getAndDecrement();
  }

  /** Ends it, and waits for that unless called by itself. */
  void stop() {
    Thread t = thread;
    if (t != null && t != Thread.currentThread()) {
      LockSupport.unpark(t);
      try {
        t.join(2_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void start() {
    if (thread == null) {
      thread =
          Thread.ofPlatform().name("lacis-progress-" + engine.rank()).daemon(true).start(this::run);
    }
  }

  private void run() {
    int idle = 0;
    while (engine.isOpen()) {
      if (!always && waiters.get() == 0) {
        LockSupport.parkNanos(this, 100 * PARK_NANOS);
      }
      idle = engine.progress() > 0 ? 0 : idle + 1;
      if (idle > SPINS + YIELDS) {
        LockSupport.parkNanos(this, PARK_NANOS);
      } else if (idle > SPINS) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
    }
  }
}
