package org.lacis;

/**
 * An operation has failed. It is found in {@link Status#error()}, and thrown by calls that wait and
 * by posting to a peer that is known to be gone.
 */
public final class CommunicationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorKind kind;

  /** The peer, or -1 if no single peer is concerned. */
  private final int rank;

  /**
   * Creates the exception.
   *
   * @param kind why
   * @param rank the peer, or -1
   * @param message what was wrong, with the values
   */
  public CommunicationException(ErrorKind kind, int rank, String message) {
    super(message);
    this.kind = kind;
    this.rank = rank;
  }

  /**
   * Creates the exception with its cause.
   *
   * @param kind why
   * @param rank the peer, or -1
   * @param message what was wrong, with the values
   * @param cause what it follows from
   */
  public CommunicationException(ErrorKind kind, int rank, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.rank = rank;
  }

  /** The kind, and what was wrong. */
  @Override
  public String getMessage() {
    return kind + ": " + reason();
  }

  /** What was wrong, with the values. */
  public String reason() {
    return String.valueOf(super.getMessage());
  }

  /** Why it failed. */
  public ErrorKind kind() {
    return kind;
  }

  /** The peer that is concerned, or -1. */
  public int rank() {
    return rank;
  }
}
