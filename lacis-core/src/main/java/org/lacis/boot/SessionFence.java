package org.lacis.boot;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The fences of one process, which come one after another.
 *
 * <p>A launcher's fence has no name: those of two handles may meet. So each rank says whose fence
 * it is in, and afterwards looks at its neighbour's word: if not all agree, some two neighbours
 * differ.
 */
final class SessionFence {
  private final Launcher launcher;
  private final ReentrantLock lock = new ReentrantLock(true);
  private int count;

  SessionFence(Launcher launcher) {
    this.launcher = launcher;
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
            "rank "
                + launcher.rank()
                + " waited "
                + timeout.toMillis()
                + " ms for a fence of another runtime in this process");
      }
      launcher.requireAll();
      say(ordinal);
      launcher.fence(timeout, deadline);
      compare(ordinal);
      count++;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw launcher.fail("rank " + launcher.rank() + " was interrupted in a fence");
    } finally {
      if (mine) {
        lock.unlock();
      }
    }
  }

  private void say(int ordinal) {
    if (launcher.size() > 1) {
      launcher.put(key(launcher.rank()), Integer.toString(ordinal));
    }
  }

  private void compare(int ordinal) {
    int size = launcher.size();
    if (size > 1) {
      int rank = launcher.rank();
      int neighbour = (rank + 1) % size;
      String other = launcher.get(key(neighbour));
      if (!other.equals(Integer.toString(ordinal))) {
        throw launcher.fail(
            "rank %d was in a fence of its runtime number %d while rank %d was in one of its number %s: "
                    .formatted(rank, ordinal, neighbour, other)
                + "all ranks must open their runtimes in the same order");
      }
    }
  }

  private String key(int rank) {
    return "lacis-fence-" + count + "-" + rank;
  }
}
