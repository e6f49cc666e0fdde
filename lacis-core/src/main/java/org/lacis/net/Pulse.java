package org.lacis.net;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Signs of life for peers, which a rank gives though it computes for hours and polls nothing. One
 * thread of the process serves all its contexts.
 */
public final class Pulse implements AutoCloseable {

  private static final ScheduledThreadPoolExecutor THREAD = thread();

  private final Future<?> beats;

  private Pulse(Future<?> beats) {
    this.beats = beats;
  }

  private static ScheduledThreadPoolExecutor thread() {
    var executor =
        new ScheduledThreadPoolExecutor(
            1, task -> Thread.ofPlatform().daemon().name("lacis-pulse").unstarted(task));
    executor.setRemoveOnCancelPolicy(true);
    return executor;
  }

  /**
   * Begins to beat: four times in the time that peers may go without a sign.
   *
   * @param detection how long a peer may be silent
   * @param beat what gives the sign; it must not wait
   */
  public static Pulse start(Duration detection, Runnable beat) {
    long interval = Math.max(1, detection.toNanos() / 4);
    return new Pulse(THREAD.scheduleWithFixedDelay(beat, interval, interval, TimeUnit.NANOSECONDS));
  }

  /** Beats no more; a beat under way may still end. */
  @Override
  public void close() {
    beats.cancel(false);
  }
}
