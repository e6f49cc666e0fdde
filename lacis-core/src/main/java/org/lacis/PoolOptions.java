package org.lacis;

import org.lacis.settings.Settings;

/**
 * How a packet pool is made.
 *
 * @param packets how many packets
 * @param packetBytes the payload of each, in bytes
 */
public record PoolOptions(int packets, int packetBytes) {

  /** The default of {@link #packets()}. */
  public static final int DEFAULT_PACKETS = Settings.POOL_PACKETS.fallback();

  /** The default of {@link #packetBytes()}, 8 KiB. */
  public static final int DEFAULT_PACKET_BYTES = Settings.POOL_PACKET_BYTES.fallback();

  /** Checks the values. */
  public PoolOptions {
    Settings.POOL_PACKETS.check(packets);
    Settings.POOL_PACKET_BYTES.check(packetBytes);
  }

  /**
   * 4096 packets of 8 KiB, unless system properties or environment variables say otherwise; see
   * {@link LacisOptions#defaults()}.
   */
  public static PoolOptions defaults() {
    return new PoolOptions(Settings.POOL_PACKETS.value(), Settings.POOL_PACKET_BYTES.value());
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
