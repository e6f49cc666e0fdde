package org.lacis.testkit;

import org.lacis.LacisOptions;

/** A part of {@link RuntimeContract}. */
interface RuntimeSuite {

  /**
   * Opens a job on the network under test.
   *
   * @param ranks how many ranks
   * @param options of each rank, but for the network
   */
  Job open(int ranks, LacisOptions options);

  /** Opens a job with {@link Job#OPTIONS}. */
  default Job open(int ranks) {
    return open(ranks, Job.OPTIONS);
  }

  /**
   * Whether a packet that was sent is out until its receiver has done with it. A network that
   * copies it gives it back as soon as it has.
   */
  default boolean packetsStayOut() {
    return true;
  }
}
