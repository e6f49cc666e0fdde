package org.lacis.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/** Threads of one test. A failure of any of them is the test's, and none outlives it. */
final class Crew implements AutoCloseable {

  private final List<Thread> threads = new ArrayList<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private volatile boolean stopped;

  /** Starts a thread that does its work once. */
  void start(String name, Runnable work) {
    Thread thread =
        Thread.ofPlatform()
            .name(name)
            .daemon()
            .unstarted(
                () -> {
                  try {
                    work.run();
                  } catch (Throwable e) {
                    failures.add(e);
                  }
                });
    threads.add(thread);
    thread.start();
  }

  /** Starts a thread that does its work again and again until the crew is closed. */
  void repeat(String name, Runnable work) {
    start(
        name,
        () -> {
          while (!stopped) {
            work.run();
          }
        });
  }

  /** Whether the test is over, or lost: time for a thread to give up. */
  boolean stopped() {
    return stopped || !failures.isEmpty();
  }

  /** Waits for a condition, or for a thread to fail. */
  void until(String what, BooleanSupplier condition) {
    Await.until(what, () -> condition.getAsBoolean() || !failures.isEmpty());
    check();
  }

  private void check() {
    Throwable failure = failures.peek();
    if (failure != null) {
      throw new AssertionError("a thread failed: " + failure, failure);
    }
  }

  @Override
  public void close() {
    stopped = true;
    Await.ended("the threads of this test", threads.toArray(Thread[]::new));
  }
}
