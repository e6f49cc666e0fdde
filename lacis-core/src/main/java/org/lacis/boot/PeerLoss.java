package org.lacis.boot;

/**
 * Whether this process misses another rank of its job. If it fails then, most likely because of
 * that, it lets the other one end first: the launcher reports the first failure, and that should be
 * the cause.
 */
public final class PeerLoss {
  /** How long the other one has to end, and the launcher to end this one. */
  private static final long PATIENCE_MILLIS = 2000;

  private static volatile boolean noticed;

  private PeerLoss() {}

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
