package org.lacis.boot;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Whether this process misses another rank of its job. If it fails then, most likely because of
 * that, it lets the other one end first: the launcher reports the first failure, and that should be
 * the cause.
 */
public final class PeerLoss {
  /** How long the other one has to end, and the launcher to end this one. */
  private static final long PATIENCE_MILLIS = 2000;

  private static final List<Listener> LISTENERS = new CopyOnWriteArrayList<>();
  private static final Map<Integer, String> LOST = new ConcurrentHashMap<>();

  private static volatile boolean noticed;

  private PeerLoss() {}

  /** Is told by the launcher of ranks that have failed, by a thread that must not wait. */
  public interface Listener {
    /**
     * A rank of the job has failed.
     *
     * @param why a phrase such as "rank 2 was ended by SIGKILL"
     */
    void lost(int rank, String why);
  }

  /** Adds a listener, which is told at once of ranks that have failed before; perhaps twice. */
  public static void add(Listener listener) {
    LISTENERS.add(listener);
    LOST.forEach(listener::lost);
  }

  /** Takes a listener away. */
  public static void remove(Listener listener) {
    LISTENERS.remove(listener);
  }

  static void tell(int rank, String why) {
    LOST.put(rank, why);
    for (Listener listener : LISTENERS) {
      listener.lost(rank, why);
    }
  }

  /** A peer is gone. */
  public static void notice() {
    noticed = true;
  }

  static boolean noticed() {
    return noticed;
  }

  /** Waits a moment if a peer is gone. */
  static void giveWay() {
    if (noticed) {
      try {
        Thread.sleep(PATIENCE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // then it ends at once
      }
    }
  }
}
