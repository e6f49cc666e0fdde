package org.lacis.net.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
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
   * @param check called now and then; throws if a peer will not come
   * @return a connection by rank; null for this one
   * @throws NetException if a peer cannot be reached, or does not come
   */
  @Nullable Wire[] connect(int device, Runnable check) {
    Patience patience = new Patience(System.nanoTime() + timeout.toNanos(), check);
    @Nullable Wire[] wires = new Wire[addresses.length];
    try {
      for (int peer = rank + 1; peer < addresses.length; peer++) {
        wires[peer] = connect(peer, device, patience);
      }
      for (int peer = 0; peer < rank; peer++) {
        wires[peer] = door.await(peer, device, patience);
      }
      door.done(device);
      return wires;
    } catch (IOException | RuntimeException e) {
      shut(wires);
      throw e instanceof NetException net
          ? net
          : new NetException(String.valueOf(e.getMessage()), e);
    }
  }

  private Wire connect(int peer, int device, Patience patience) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      reach(channel, addresses[peer], patience);
      Line line = Line.of(tls, channel, true, patience);
      new Handshake(line, proof).connect(new Handshake.Hello(rank, peer, device, addresses.length));
      return line.wire();
    } catch (RuntimeException e) {
      shut(channel);
      throw e;
    } catch (IOException e) {
      shut(channel);
      patience.check().run(); // it may have given up because another one is dead
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

  private static void reach(SocketChannel channel, InetSocketAddress address, Patience patience)
      throws IOException {
    channel.configureBlocking(false);
    channel.connect(address);
    try (Selector selector = Selector.open()) {
      channel.register(selector, SelectionKey.OP_CONNECT);
      while (!channel.finishConnect()) {
        selector.select(patience.slice());
      }
    }
    channel.configureBlocking(true);
  }

  /** Ends connections that are not needed. */
  static void shut(@Nullable Wire[] wires) {
    for (Wire wire : wires) {
      if (wire != null) {
        shut(wire.socket());
      }
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
