package org.lacis.net;

/** A network could not be set up, or broke in a way no single operation can be blamed for. */
public final class NetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int lostRank;

  /**
   * Creates the exception.
   *
   * @param message what went wrong, with the values, and what to do about it
   */
  public NetException(String message) {
    this(-1, message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what went wrong, with the values, and what to do about it
   * @param cause what the platform said
   */
  public NetException(String message, Throwable cause) {
    super(message, cause);
    this.lostRank = -1;
  }

  /**
   * Creates the exception for what cannot be done without a rank that is gone.
   *
   * @param lostRank the rank, by its number in the job
   * @param message what went wrong, with the values, and what to do about it
   */
  public NetException(int lostRank, String message) {
    super(message);
    this.lostRank = lostRank;
  }

  /** The rank that is gone and was needed; -1 if it is not that. */
  public int lostRank() {
    return lostRank;
  }
}
