package org.lacis.net.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetException;

/** How ranks meet: each connects to those of higher rank, and the others come to its door. */
final class Meeting implements AutoCloseable {

  private final int rank;
  private final InetSocketAddress[] addresses;
  private final Proof proof;
  private final Door door;
  private final @Nullable Tls tls;
  private final Duration timeout;

  /**
   * Makes one.
   *
   * @param tls null if connections are plain
   */
  Meeting(
      int rank,
      InetSocketAddress[] addresses,
      Proof proof,
      @Nullable Tls tls,
      Door door,
      Duration timeout) {
    this.rank = rank;
    this.addresses = addresses;
    this.proof = proof;
    this.tls = tls;
    this.door = door;
    this.timeout = timeout;
  }

  /**
   * Connects a device with all peers.
   *
   * @return a connection by rank; null for this one
   * @throws NetException if a peer cannot be reached, or does not come
   */
  @Nullable Wire[] connect(int device) {
    long deadline = System.nanoTime() + timeout.toNanos();
    @Nullable Wire[] wires = new Wire[addresses.length];
    try {
      for (int peer = rank + 1; peer < addresses.length; peer++) {
        wires[peer] = connect(peer, device, deadline);
      }
      for (int peer = 0; peer < rank; peer++) {
        wires[peer] = door.await(peer, device, deadline);
      }
      door.done(device);
      return wires;
    } catch (IOException | RuntimeException e) {
      for (Wire wire : wires) {
        if (wire != null) {
          shut(wire.socket());
        }
      }
      throw e instanceof NetException net
          ? net
          : new NetException(String.valueOf(e.getMessage()), e);
    }
  }

  private Wire connect(int peer, int device, long deadline) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      long left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
      channel.socket().connect(addresses[peer], (int) Math.min(left, Integer.MAX_VALUE));
      Line line = Line.of(tls, channel, true, deadline);
      new Handshake(line, proof).connect(new Handshake.Hello(rank, peer, device, addresses.length));
      return line.wire();
    } catch (IOException e) {
      shut(channel);
      throw new NetException(
          "rank "
              + peer
              + " at "
              + addresses[peer]
              + " cannot be reached: "
              + e.getMessage()
              + "; if it is the wrong interface, say which one with lacis.tcp.interface",
          e);
    }
  }

  private static void shut(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      System.getLogger("org.lacis.net.tcp").log(System.Logger.Level.DEBUG, "closing", e);
    }
  }

  @Override
  public void close() {
    door.close();
  }
}
