package org.lacis.boot;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The fences of one process, which come one after another.
 *
 * <p>A PMI-1 fence has no name: those of two handles may meet. So each rank says whose fence it is
 * in, and afterwards looks at its neighbour's word: if not all agree, some two neighbours differ.
 */
final class PmiFence {
  private final PmiSession session;
  private final PmiClient client;
  private final ReentrantLock lock = new ReentrantLock(true);
  private int count;

  PmiFence(PmiSession session, PmiClient client) {
    this.session = session;
    this.client = client;
  }

  /** Whether a thread is in a fence, or on its way. */
  boolean isBusy() {
    return lock.isLocked();
  }

  /**
   * Waits until all ranks are in a fence, which should be one of the handle with the same ordinal.
   */
  void pass(int ordinal, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    boolean mine = false;
    try {
      mine = lock.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS);
      if (!mine) {
        throw new BootException(
            waited(timeout) + " for a fence of another runtime in this process");
      }
      say(ordinal);
      meet(timeout, deadline);
      compare(ordinal);
      count++;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw client.fail("rank " + session.env().rank() + " was interrupted in a fence");
    } finally {
      if (mine) {
        lock.unlock();
      }
    }
  }

  private void say(int ordinal) {
    if (session.env().size() > 1) {
      session.put(key(session.env().rank()), Integer.toString(ordinal));
    }
  }

  private void meet(Duration timeout, long deadline) {
    client.write(PmiLine.of("barrier_in"));
    if (client.awaitFence(deadline - System.nanoTime())) {
      return;
    }
    String missing =
        session.own() ? client.request(PmiLine.of("lacis_missing"), "missing").find("ranks") : null;
    if (!client.awaitFence(0)) {
      String whom =
          missing == null || missing.isEmpty() ? "" : " for ranks that have not come: " + missing;
      throw client.fail(waited(timeout) + " in a fence" + whom);
    }
  }

  private void compare(int ordinal) {
    int size = session.env().size();
    if (size > 1) {
      int rank = session.env().rank();
      int neighbour = (rank + 1) % size;
      String other = session.get(key(neighbour));
      if (!other.equals(Integer.toString(ordinal))) {
        throw client.fail(
            "rank %d was in a fence of its runtime number %d while rank %d was in one of its number %s: "
                    .formatted(rank, ordinal, neighbour, other)
                + "all ranks must open their runtimes in the same order");
      }
    }
  }

  private String waited(Duration timeout) {
    return "rank " + session.env().rank() + " waited " + timeout.toMillis() + " ms";
  }

  private String key(int rank) {
    return "lacis-fence-" + count + "-" + rank;
  }
}
