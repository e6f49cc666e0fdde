package org.lacis.collective;

import org.lacis.Lacis;

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
    RING,
    /**
     * Each member combines a piece straight out of the memory of all members, and into it. For
     * members on one machine; as {@link #REDUCE_SCATTER_ALLGATHER} elsewhere, and for data that is
     * too long. Data in memory from {@link Lacis#allocate} is not copied.
     */
    DIRECT
  }

  /** How data is gathered at one member. */
  enum Gather implements Algorithm {
    /** Every member sends to the root. */
    LINEAR,
    /** Along a tree: log<sub>2</sub> n rounds, in which short blocks travel together. */
    BINOMIAL
  }

  /** How data is scattered from one member. */
  enum Scatter implements Algorithm {
    /** The root sends to every member. */
    LINEAR,
    /** Along a tree: log<sub>2</sub> n rounds, in which short blocks travel together. */
    BINOMIAL
  }

  /** How data is gathered at all members. */
  enum Allgather implements Algorithm {
    /** What a member has doubles in every round: log<sub>2</sub> n rounds, and a copy. */
    BRUCK,
    /** Blocks go around in a ring. */
    RING
  }

  /** How every member sends a block to every other. */
  enum Alltoall implements Algorithm {
    /** n - 1 messages, all at once. */
    PAIRWISE,
    /** log<sub>2</sub> n messages, in which blocks travel together. For blocks of one length. */
    BRUCK
  }

  /** How a reduction is done of which every member gets a block. */
  enum ReduceScatter implements Algorithm {
    /** A reduction to member 0, which scatters it, both along trees. */
    BINOMIAL,
    /** Every member gets its block from every other, and combines them. */
    PAIRWISE,
    /** Blocks go around in a ring. For operators that are commutative. */
    RING
  }

  /** How a scan is done. */
  enum Scan implements Algorithm {
    /** From each member to the next: n - 1 rounds, few messages. */
    LINEAR,
    /** From each member to the one 2<sup>k</sup> further: log<sub>2</sub> n rounds. */
    RECURSIVE_DOUBLING
  }
}
