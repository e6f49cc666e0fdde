package org.lacis;

/**
 * What a posting call answers. Lack of room is an answer, never an exception, and names what ran
 * out.
 *
 * <p>{@link #DONE}: complete; the completion object is not signalled. {@link #POSTED}: the
 * completion object will be signalled. A {@code RETRY_*}: nothing has happened; make progress and
 * post again.
 */
public enum Post {
  /**
   * The operation is complete: the buffer may be used again. The completion object is not
   * signalled.
   */
  DONE,
  /** The operation is under way. The completion object will be signalled exactly once. */
  POSTED,
  /**
   * Another thread, of the program or of the runtime, holds a lock that is needed, for a moment.
   * Nothing has happened.
   */
  RETRY_LOCK,
  /** The packet pool is empty until peers have consumed some packets. Nothing has happened. */
  RETRY_PACKET,
  /** The way to that peer is full until it makes progress. Nothing has happened. */
  RETRY_QUEUE,
  /** A table of registrations or operations under way is full for now. Nothing has happened. */
  RETRY_MEMORY,
  /** The backlog is full. Nothing has happened. */
  RETRY_BACKLOG;

  private final boolean retry = name().startsWith("RETRY_");

  /** Whether the operation is complete and the completion object will not be signalled. */
  public boolean isDone() {
    return this == DONE;
  }

  /** Whether the completion object will be signalled. */
  public boolean isPosted() {
    return this == POSTED;
  }

  /** Whether nothing has happened and the call should be made again after some progress. */
  public boolean isRetry() {
    return retry;
  }
}
