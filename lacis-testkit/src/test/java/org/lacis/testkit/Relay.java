package org.lacis.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Stands between two ranks that talk over tcp. What it is given it hands on later, or keeps until
 * it is told to go on; as a long or broken line would, and without a reset.
 */
final class Relay implements AutoCloseable {

  /** Some bytes, and when they are due; null at the end. */
  private static final class Parcel {
    final byte @Nullable [] bytes;
    final long due;

    Parcel(byte @Nullable [] bytes, long due) {
      this.bytes = bytes;
      this.due = due;
    }
  }

  private final ServerSocket door;
  private final int target;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile long delayNanos;
  private volatile boolean holding;

  /**
   * Opens one, on the loopback.
   *
   * @param target the port it hands on to
   */
  Relay(int target) {
    this.target = target;
    try {
      this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return door.getLocalPort();
  }

  /** From now on everything takes so much longer, in each direction. */
  void delay(long millis) {
    delayNanos = millis * 1_000_000;
  }

  /** Hands nothing on, or goes on. */
  void hold(boolean on) {
    holding = on;
  }

  private void accept() {
    try {
      while (true) {
        Socket one = door.accept();
        Socket other = new Socket(InetAddress.getLoopbackAddress(), target);
        for (Socket socket : List.of(one, other)) {
          socket.setTcpNoDelay(true);
          sockets.add(socket);
        }
        join(one, other);
        join(other, one);
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void join(Socket from, Socket to) {
    BlockingQueue<Parcel> way = new LinkedBlockingQueue<>();
    Thread.ofVirtual().start(() -> read(from, way));
    Thread.ofVirtual().start(() -> write(way, to));
  }

  private void read(Socket from, BlockingQueue<Parcel> way) {
    try (InputStream in = from.getInputStream()) {
      byte[] bytes = new byte[1 << 16];
      for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
        way.add(new Parcel(Arrays.copyOf(bytes, length), System.nanoTime() + delayNanos));
      }
    } catch (IOException e) {
      // As good as the end.
    }
    way.add(new Parcel(null, System.nanoTime()));
  }

  private void write(BlockingQueue<Parcel> way, Socket to) {
    try (OutputStream out = to.getOutputStream()) {
      Parcel next = way.take();
      for (byte[] bytes = next.bytes; bytes != null; bytes = next.bytes) {
        while ((next.due - System.nanoTime() > 0 || holding) && !door.isClosed()) {
          LockSupport.parkNanos(1_000_000);
        }
        out.write(bytes);
        next = way.take();
      }
    } catch (IOException e) {
      // The other side has ended it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
