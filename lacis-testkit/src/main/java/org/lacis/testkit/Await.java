package org.lacis.testkit;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits that end. Every wait says what it waits for, and has a limit; past the limit it fails with
 * that description and the stacks of all threads. A thread that is interrupted while it waits fails
 * at once, its interrupted status set.
 *
 * <p>Limits are multiplied by {@code -Dlacis.patience=…} (default 1), for machines that are slow or
 * shared.
 */
public final class Await {
  /** The limit of waits that name none: {@value} seconds. */
  public static final int DEFAULT_SECONDS = 30;

  private static final Duration DEFAULT = Duration.ofSeconds(DEFAULT_SECONDS);
  private static final double PATIENCE =
      Double.parseDouble(System.getProperty("lacis.patience", "1"));
  private static final int SPINS = 100;
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private Await() {}

  /**
   * Waits until a condition holds, at most {@value #DEFAULT_SECONDS} seconds.
   *
   * @param what completes the sentence "waited 30 s for …"
   */
  public static void until(String what, BooleanSupplier condition) {
    until(what, DEFAULT, condition);
  }

  /**
   * Waits until a condition holds.
   *
   * @param what completes the sentence "waited 30 s for …"
   */
  public static void until(String what, Duration limit, BooleanSupplier condition) {
    until(what, limit, () -> {}, condition);
  }

  /**
   * Waits until a condition holds, and does a step before each look: the place to call {@code
   * device.progress()}.
   *
   * @param what completes the sentence "waited 30 s for …"
   */
  public static void until(String what, Duration limit, Runnable step, BooleanSupplier condition) {
    long start = System.nanoTime();
    long nanos = (long) (limit.toNanos() * PATIENCE);
    for (int looks = 0; ; looks++) {
      step.run();
      if (condition.getAsBoolean()) {
        return;
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new AssertionError("interrupted while waiting for " + what);
      }
      long waited = System.nanoTime() - start;
      if (waited > nanos) {
        throw timeout(what, waited);
      }
      if (looks < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /**
   * Waits until there is a value, at most {@value #DEFAULT_SECONDS} seconds, and returns it.
   *
   * @param what completes the sentence "waited 30 s for …"
   * @param source answers null as long as there is none
   */
  public static <T> T value(String what, Supplier<? extends @Nullable T> source) {
    var box =
        new Object() {
          @Nullable T found;
        };
    until(
        what,
        () -> {
          box.found = source.get();
          return box.found != null;
        });
    return Objects.requireNonNull(box.found);
  }

  /**
   * Waits for threads to end, at most {@value #DEFAULT_SECONDS} seconds for all of them.
   *
   * @param what completes the sentence "waited 30 s for …"
   */
  public static void ended(String what, Thread... threads) {
    until(
        what,
        () -> {
          for (Thread thread : threads) {
            if (thread.isAlive()) {
              return false;
            }
          }
          return true;
        });
  }

  private static AssertionError timeout(String what, long nanos) {
    var message = new StringBuilder();
    message.append("waited %.1f s for %s".formatted(nanos / 1e9, what));
    message.append("\n\nwhat the threads of this process were doing:\n\n");
    Thread.getAllStackTraces()
        .forEach(
            (thread, frames) -> {
              message.append(thread).append(' ').append(thread.getState()).append('\n');
              for (StackTraceElement frame : frames) {
                message.append("    at ").append(frame).append('\n');
              }
            });
    return new AssertionError(message.toString());
  }
}
