package org.lacis;

import java.lang.foreign.MemorySegment;

/**
 * A buffer of a {@link PacketPool} that the user holds: fill its {@link #segment()}, and send it
 * with {@link Posting#packet} or give it back with {@link #close()}. Either ends the use of this
 * object.
 */
public interface Packet extends AutoCloseable {

  /**
   * The memory, {@link PoolOptions#packetBytes} long.
   *
   * @throws IllegalStateException if the packet was sent or closed
   */
  MemorySegment segment();

  /**
   * Gives it back unsent.
   *
   * @throws IllegalStateException if it was sent or closed before
   */
  @Override
  void close();
}
