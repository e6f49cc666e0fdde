package org.lacis.trace.depth;

/** Which calls count. */
public enum Scope {
  /**
   * All: every way to send and receive, and to complete a request. A blocking receive is posted
   * too, and gone when it returns; so is that of {@code MPI_Sendrecv}. A point is taken where
   * requests complete.
   */
  ALL,

  /**
   * Those that the published analyzer knows: Send, Isend, Recv and Irecv, twelve collectives, and
   * posted are those of Irecv alone. A point is taken at every wait.
   */
  PAPER
}
