package org.lacis;

/** Why an operation failed. */
public enum ErrorKind {
  /**
   * The message was longer than the receive's buffer, or did not fit into its {@link BufferList}.
   * The sender does not notice.
   */
  TRUNCATED,
  /** The peer has died, or has closed its runtime. */
  PEER_GONE,
  /**
   * The remote region was closed, or does not allow this access. So with an atomic on memory whose
   * words are not aligned: an array of bytes, or a native address that is no multiple of a word.
   */
  NO_ACCESS,
  /** The receiver has no memory for the message. */
  NO_MEMORY,
  /** The runtime, or the resource the operation waited in, was closed. */
  CLOSED,
  /** The receive was taken back, see {@link ReceiveHandle#cancel}. */
  CANCELLED,
  /** A function, or a posting call, in a {@link Graph} has thrown: the exception is the cause. */
  FUNCTION,
  /** Members of a collective have called different ones, or with lengths that do not agree. */
  MISMATCH
}
