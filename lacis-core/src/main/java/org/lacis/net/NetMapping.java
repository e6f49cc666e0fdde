package org.lacis.net;

import java.lang.foreign.MemorySegment;

/**
 * Registered memory of a peer that this process has mapped. All methods may be called by any
 * thread.
 */
public interface NetMapping {

  /** The memory, which stays mapped for as long as the segment is reachable. */
  MemorySegment segment();

  /**
   * Holds on to the registration, so that whoever ends it {@linkplain NetContext#inUse sees} that
   * the memory is in use, until {@link #release}. Allocates nothing.
   *
   * @return whether the registration lasts; nothing is held if it does not
   */
  boolean hold();

  /** Ends what {@link #hold} began. */
  void release();
}
