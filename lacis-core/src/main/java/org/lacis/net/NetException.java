package org.lacis.net;

/** A network could not be set up, or broke in a way no single operation can be blamed for. */
public final class NetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what went wrong, with the values, and what to do about it
   */
  public NetException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what went wrong, with the values, and what to do about it
   * @param cause what the platform said
   */
  public NetException(String message, Throwable cause) {
    super(message, cause);
  }
}
