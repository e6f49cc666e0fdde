package org.lacis;

import org.jspecify.annotations.Nullable;

/** Fixed-size buffers in memory that the network reaches in the quickest way. */
public interface PacketPool extends AutoCloseable {

  /** How it was made. */
  PoolOptions options();

  /**
   * Takes a packet, to be filled and posted with {@link Posting#packet}, which saves a copy.
   *
   * @return a packet, or null if there is none until peers have consumed some
   */
  @Nullable Packet get();

  /** How many packets are free; a snapshot. */
  int available();

  /** What it is and how it is doing, for people to read. */
  Info info();

  /** Gives its memory back when its last packet is free again. */
  @Override
  void close();
}
