package org.lacis.net;

/**
 * For how long nothing was heard of a peer, as far as this rank has listened. The time between two
 * looks counts for a quarter of the limit at most: a rank that was stopped itself, perhaps together
 * with its peers, or that has not polled for a while, gives them time to be heard again. For one
 * thread at a time.
 */
public final class Silence {

  private final long limit;
  private final long most;
  private long last;
  private long silent;

  /**
   * Begins to listen.
   *
   * @param limitNanos how long a peer may be silent
   */
  public Silence(long limitNanos) {
    this.limit = limitNanos;
    this.most = Math.max(1, limitNanos / 4);
    this.last = System.nanoTime();
  }

  /**
   * Looks again.
   *
   * @param now a value of {@link System#nanoTime}
   * @param heard whether the peer was heard of since the last look
   * @return whether it has been silent for too long
   */
  public boolean isTooLong(long now, boolean heard) {
    silent = heard ? 0 : silent + Math.min(now - last, most);
    last = now;
    return silent >= limit;
  }
}
