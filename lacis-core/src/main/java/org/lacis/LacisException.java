package org.lacis;

/** The runtime could not be opened, or cannot go on. The message says why and what to do. */
public final class LacisException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was wrong, with the values, and what to do about it
   */
  public LacisException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what was wrong, with the values, and what to do about it
   * @param cause what the layer below said
   */
  public LacisException(String message, Throwable cause) {
    super(message, cause);
  }
}
