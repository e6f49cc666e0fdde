package org.lacis.engine;

import org.lacis.Completion;

/**
 * A completion object that may be full: what arrives for it from a peer then waits in the network.
 */
interface Bounded extends Completion {

  /**
   * Takes the status, if there is room.
   *
   * @return whether it was taken; if not, the status is untouched
   */
  boolean offer(StatusRecord status);
}
