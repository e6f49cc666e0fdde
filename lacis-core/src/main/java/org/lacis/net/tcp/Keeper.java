package org.lacis.net.tcp;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The one thread of a context, which does what must be done though nobody polls: it sends messages
 * that were left for the next poll, about a millisecond later; tells the peers that this rank is
 * alive, however long it computes; sees connections that were closed to their end; and reads the
 * clock.
 */
final class Keeper implements Runnable {

  private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long DOZE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** How long the end of the process waits for peers to take what was sent last. */
  private static final long EXIT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final List<Connection> connections = new CopyOnWriteArrayList<>();
  private final Queue<Farewell> farewells = new ConcurrentLinkedQueue<>();
  private final long beatNanos;
  private final Thread thread;
  private final Thread exit;
  private volatile boolean dozing;
  private volatile boolean closed;
  private volatile long now = System.nanoTime();
  private boolean started;

  /**
   * Makes one.
   *
   * @param rank for the name of its thread
   * @param detectionNanos how long a peer may be silent
   */
  Keeper(int rank, long detectionNanos) {
    this.beatNanos = Math.max(1, detectionNanos / 4);
    this.thread = Thread.ofPlatform().daemon().name("lacis-tcp-" + rank).unstarted(this);
    this.exit = new Thread(this::awaitFarewells, "lacis-tcp-exit-" + rank);
  }

  /** Looks after a connection from now on. */
  synchronized void add(Connection connection) {
    connections.add(connection);
    if (!started) {
      started = true;
      thread.start();
      Runtime.getRuntime().addShutdownHook(exit);
    }
  }

  void forget(Connection connection) {
    connections.remove(connection);
  }

  /** Sees a connection to its end. */
  void bid(Farewell farewell) {
    if (!farewell.proceed()) {
      farewells.add(farewell);
      disturb();
    }
  }

  /**
   * A clock for those who poll, as {@link System#nanoTime}: it costs a load, and is late by about
   * twenty milliseconds at most.
   */
  long now() {
    return now;
  }

  /** Something waits to be sent. */
  void disturb() {
    if (dozing) {
      dozing = false;
      LockSupport.unpark(thread);
    }
  }

  /** Ends it, when the last connection has ended. */
  synchronized void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  @Override
  public void run() {
    long beatAt = System.nanoTime() + beatNanos;
    while (!closed || !farewells.isEmpty()) {
      long time = System.nanoTime();
      now = time;
      boolean beat = time - beatAt >= 0;
      if (beat) {
        beatAt = time + beatNanos;
      }
      boolean busy = false;
      for (Connection connection : connections) {
        busy |= connection.outbox().keep(beat);
      }
      farewells.removeIf(Farewell::proceed);
      if (busy || !farewells.isEmpty()) {
        LockSupport.parkNanos(this, ROUND_NANOS);
      } else {
        doze();
      }
    }
    try {
      Runtime.getRuntime().removeShutdownHook(exit);
    } catch (IllegalStateException e) {
      assert closed; // the process ends, and the hook has nothing to wait for
    }
  }

  private void doze() {
    dozing = true;
    // Looked at again: what came before the flag was up has disturbed nobody.
    for (Connection connection : connections) {
      if (connection.outbox().isUnsent()) {
        dozing = false;
        LockSupport.parkNanos(this, ROUND_NANOS);
        return;
      }
    }
    LockSupport.parkNanos(this, Math.min(DOZE_NANOS, beatNanos));
    if (!dozing) {
      // Disturbed: the poll that may come by first has a millisecond for that.
      LockSupport.parkNanos(this, ROUND_NANOS);
    }
    dozing = false;
  }

  private void awaitFarewells() {
    long deadline = System.nanoTime() + EXIT_NANOS;
    while (!farewells.isEmpty() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(this, ROUND_NANOS);
    }
  }
}
