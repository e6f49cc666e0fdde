package org.lacis.cli;

import java.io.IOException;

/**
 * The ranks of one machine. All that goes wrong is an {@link IOException} with a message for the
 * user.
 */
interface RankGroup {
  /** Is told the exit code of a rank, from any thread. */
  interface EndListener {
    void ended(int rank, int code);
  }

  /** Waits until ranks can be started. */
  void open() throws IOException, InterruptedException;

  /** Starts a rank, unless the group is being ended. */
  void start(RankStart start) throws IOException;

  /** Ends a rank at once, if it is there. Does not wait. */
  void kill(int rank);

  /** Begins to end all ranks. Does not wait. */
  void beginEnd();

  /** Waits until all ranks, and what they have started, are gone, and their files with them. */
  void awaitEnd() throws InterruptedException;
}
