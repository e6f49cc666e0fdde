package org.lacis.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lacis.Idle;

/**
 * A thread that makes progress on all devices of a runtime: always if the user asked for it,
 * otherwise while virtual threads wait. It is started when it is needed first.
 */
final class ProgressThread {

  private static final long UNNEEDED_NANOS = 10_000_000;

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
    Idle idle = engine.newIdle();
    while (engine.isOpen()) {
      if (!always && waiters.get() == 0) {
        LockSupport.parkNanos(this, UNNEEDED_NANOS);
      }
      idle.after(engine.progress());
    }
  }
}
