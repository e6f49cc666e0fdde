package org.lacis;

import java.lang.foreign.MemorySegment;

/**
 * Memory of a rank on this machine that this process can touch as if it were its own, from {@link
 * Lacis#map}. Loads and stores, atomic ones too, take no message and nobody's progress; when to do
 * them is for the ranks to agree on, by messages or a barrier for instance: what was stored before
 * a message was sent is there when it has arrived. It is made once and kept; there is nothing to
 * close.
 *
 * <pre>{@code
 * var memory = lacis.map(remote);
 * if (memory != null && memory.enter()) {
 *   try {
 *     memory.segment().set(ValueLayout.JAVA_LONG, 0, 42);
 *   } finally {
 *     memory.leave();
 *   }
 * }
 * }</pre>
 *
 * <p>Any thread may use it, and several may be inside at once. Neither entering nor leaving
 * allocates anything.
 */
public interface PeerMemory {

  /**
   * The memory, read-only if its {@linkplain RemoteRegion#rights rights} are. To be touched between
   * {@link #enter} and {@link #leave} only: at other times its owner may have given it to somebody
   * else.
   */
  MemorySegment segment();

  /**
   * Begins to use it. Until {@link #leave}, its owner waits in {@link Region#close}; so this should
   * not take long.
   *
   * @return false if the owner has closed the region: there is nothing to leave then
   */
  boolean enter();

  /**
   * Ends what {@link #enter} began. Once for each time that answered true.
   *
   * @throws IllegalStateException if nobody is inside
   */
  void leave();
}
