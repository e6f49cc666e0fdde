package org.lacis;

/**
 * How a packet pool is made.
 *
 * @param packets how many packets
 * @param packetBytes the payload of each, in bytes
 */
public record PoolOptions(int packets, int packetBytes) {

  /** The default of {@link #packets()}. */
  public static final int DEFAULT_PACKETS = 4096;

  /** The default of {@link #packetBytes()}, 8 KiB. */
  public static final int DEFAULT_PACKET_BYTES = 8192;

  private static final PoolOptions DEFAULTS =
      new PoolOptions(DEFAULT_PACKETS, DEFAULT_PACKET_BYTES);

  /** Checks the values. */
  public PoolOptions {
    if (packets < 2 || packets > 1 << 20) {
      throw new IllegalArgumentException(
          "packets must be 2 to " + (1 << 20) + ", but is " + packets);
    }
    if (packetBytes < 64 || packetBytes > 1 << 24 || packetBytes % 64 != 0) {
      throw new IllegalArgumentException(
          "packetBytes must be a multiple of 64 from 64 to "
              + (1 << 24)
              + ", but is "
              + packetBytes);
    }
  }

  /** 4096 packets of 8 KiB. */
  public static PoolOptions defaults() {
    return DEFAULTS;
  }

  /** The same with another number of packets. */
  public PoolOptions withPackets(int packets) {
    return new PoolOptions(packets, packetBytes);
  }

  /** The same with another payload, in bytes. */
  public PoolOptions withPacketBytes(int packetBytes) {
    return new PoolOptions(packets, packetBytes);
  }
}
