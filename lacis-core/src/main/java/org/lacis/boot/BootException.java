package org.lacis.boot;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Says why a process could not find its place in a job, or why the job's ranks could not meet. */
public final class BootException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final int lostRank;

  /** Makes one that says what was wrong and what to do about it. */
  public BootException(String message) {
    this(-1, message);
  }

  /** Makes one with the failure behind it. */
  public BootException(String message, @Nullable Throwable cause) {
    super(message, cause);
    this.lostRank = -1;
  }

  /** Makes one that says that a rank has failed, without which nothing can be opened. */
  BootException(int lostRank, String message) {
    super(message);
    this.lostRank = lostRank;
  }

  /** The rank that has failed, if that is the reason; else -1. */
  public int lostRank() {
    return lostRank;
  }
}
