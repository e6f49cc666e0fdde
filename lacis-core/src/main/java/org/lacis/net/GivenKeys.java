package org.lacis.net;

import java.lang.foreign.MemorySegment;

/**
 * A {@link NetContext} that also registers memory under keys which another network has made: ranks
 * that reach the memory by either network then need one key. It is used with given keys only, or
 * with its own.
 */
public interface GivenKeys {

  /**
   * As {@link NetContext#register}, under a given key.
   *
   * @param key of a {@link KeySource}; no other memory has it, nor another key of its index
   * @return false if there is no room for now
   */
  boolean register(long key, MemorySegment segment, long offset, long length, int rights);
}
