package org.lacis.boot;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Says why a process could not find its place in a job, or why the job's ranks could not meet. */
public final class BootException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Makes one that says what was wrong and what to do about it. */
  public BootException(String message) {
    super(message);
  }

  /** Makes one with the failure behind it. */
  public BootException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
