package org.lacis;

/**
 * Operations of a device that could not be submitted and could not be returned to the caller,
 * because of {@code allowRetry(false)} or because no caller was there. Progress submits them, in
 * order for each peer, before anything else.
 */
public interface Backlog {

  /** How many operations are in it; a snapshot. */
  int length();

  /**
   * How many posted with {@code allowRetry(false)} it takes before it answers {@link
   * Post#RETRY_BACKLOG}.
   */
  int capacity();
}
