package org.lacis.trace.depth;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lacis.trace.CallGroup;
import org.lacis.trace.CallType;

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
  PAPER;

  private static final Set<CallType> PAPER_SENDS = types("Send", "Isend");
  private static final Set<CallType> PAPER_RECEIVES = types("Recv", "Irecv");
  private static final Set<CallType> PAPER_COLLECTIVES =
      types(
          "Barrier",
          "Bcast",
          "Reduce",
          "Allreduce",
          "Gather",
          "Gatherv",
          "Scatter",
          "Scatterv",
          "Allgather",
          "Allgatherv",
          "Alltoall",
          "Alltoallv");

  private static Set<CallType> types(String... names) {
    return Stream.of(names)
        .map(name -> CallType.named("MPI_" + name))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether a call sends a message, and counts. */
  boolean isSend(CallType type) {
    return this == PAPER
        ? PAPER_SENDS.contains(type)
        : type.group() == CallGroup.SEND || type.group() == CallGroup.EXCHANGE;
  }

  /** Whether a call is one between two ranks, and counts. */
  boolean isPointToPoint(CallType type) {
    return this == PAPER
        ? PAPER_SENDS.contains(type) || PAPER_RECEIVES.contains(type)
        : type.group().isPointToPoint();
  }

  /** Whether a call is a collective one, and counts. */
  boolean isCollective(CallType type) {
    return this == PAPER ? PAPER_COLLECTIVES.contains(type) : type.group() == CallGroup.COLLECTIVE;
  }

  /** Whether a call reads or changes the memory of another rank, and counts. */
  boolean isOneSided(CallType type) {
    return this == ALL && type.group() == CallGroup.ONE_SIDED;
  }
}
