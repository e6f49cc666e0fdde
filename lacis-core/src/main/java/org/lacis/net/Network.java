package org.lacis.net;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A way for ranks to reach each other. Implementations are stateless; everything lives in the
 * context they open.
 */
public interface Network {

  /** The name users choose it by, such as {@code shm}. */
  String name();

  /** Whether it can be used here, and why not. */
  Probe probe();

  /**
   * Opens it for this rank. Collective: every rank of the job calls it, in the same order.
   *
   * @param setup who this rank is, how to exchange addresses, and the sizes asked for
   * @throws NetException if it cannot be opened, with the reason
   */
  NetContext open(Setup setup);

  /**
   * What a network needs to know to open.
   *
   * @param exchange who am I, and small values to and from the other ranks
   * @param sharedBytes the memory to set aside for packets, rings and {@link NetContext#allocate},
   *     in bytes
   * @param ringCells the number of messages that may be under way from one rank to another on one
   *     device; a power of two
   * @param injectBytes the payload that a message inside a frame should have room for; {@link
   *     NetContext#injectLimit} says what it has
   * @param timeout how long a collective step may take
   * @param detection how long a peer may be without any sign of life before it counts as gone
   */
  record Setup(
      Exchange exchange,
      long sharedBytes,
      int ringCells,
      int injectBytes,
      Duration timeout,
      Duration detection) {

    private static final Duration USUAL_DETECTION = Duration.ofSeconds(10);

    /** A setup that leaves the length of frames to the network, with the usual detection time. */
    public Setup(Exchange exchange, long sharedBytes, int ringCells, Duration timeout) {
      this(exchange, sharedBytes, ringCells, 0, timeout, USUAL_DETECTION);
    }

    /** The same for another exchange. */
    public Setup with(Exchange other) {
      return new Setup(other, sharedBytes, ringCells, injectBytes, timeout, detection);
    }
  }

  /** The little that a network needs of the bootstrap. */
  interface Exchange {
    /** This process, from 0. */
    int rank();

    /** How many processes there are. */
    int size();

    /**
     * The number by which the whole job knows a process; another one if the exchange is that of
     * some ranks only. For names and messages.
     */
    default int jobRank(int rank) {
      return rank;
    }

    /**
     * Unguessable, the same on every rank, different for every runtime; letters and digits only.
     */
    String jobId();

    /**
     * What nobody outside the job knows, the same on every rank; the caller gets a copy. Unless
     * there is something better it is the {@link #jobId}, which may stand in file names.
     */
    default byte[] secret() {
      return jobId().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Gives every rank's value to every rank. Collective.
     *
     * @param name what is exchanged, the same on every rank and never used before
     * @param value this rank's value
     * @return the values by rank
     */
    String[] allGather(String name, String value);

    /**
     * Throws a {@link NetException} if it is known that a rank has failed: whatever needs all ranks
     * will not come about. Does not wait.
     */
    default void requireAll() {}
  }
}
