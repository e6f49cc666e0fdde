package org.lacis.collective;

/**
 * How a collective goes about it. Chosen by the length of the data and the number of members,
 * unless {@link CollectiveOptions#withAlgorithm} names one; {@link Collective#algorithm} tells.
 * Below, <i>n</i> is the number of members.
 */
public sealed interface Algorithm {

  /** How a barrier is done. */
  enum Barrier implements Algorithm {
    /** In round k every member tells the one 2<sup>k</sup> ahead: log<sub>2</sub> n rounds. */
    DISSEMINATION
  }

  /** How a broadcast is done. */
  enum Broadcast implements Algorithm {
    /** Whoever has the data passes all of it on, along a tree: log<sub>2</sub> n rounds. */
    BINOMIAL,
    /** A tree spreads n pieces, which then go around in a ring: each member sends it all once. */
    SCATTER_ALLGATHER
  }

  /** How a reduction to one member is done. */
  enum Reduce implements Algorithm {
    /** Along a tree: log<sub>2</sub> n rounds with all of the data. */
    BINOMIAL,
    /** Each member reduces a piece, by halving, and sends it to the root. */
    REDUCE_SCATTER_GATHER
  }

  /** How a reduction to all members is done. */
  enum Allreduce implements Algorithm {
    /** Members swap and combine all they have: log<sub>2</sub> n rounds. */
    RECURSIVE_DOUBLING,
    /** Each member reduces a piece, by halving; the pieces are put together by doubling. */
    REDUCE_SCATTER_ALLGATHER,
    /** n pieces go around twice. For operators that are commutative. */
    RING
  }
}
