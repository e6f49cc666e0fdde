package org.lacis.net.tcp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The door of rank 1 of two, and those who come to it. */
final class DoorRig implements AutoCloseable {

  static final InetAddress HERE = InetAddress.getLoopbackAddress();
  static final Duration LIMIT = Duration.ofSeconds(20);
  static final Handshake.Hello HELLO = new Handshake.Hello(0, 1, 0, 2);

  final Proof proof = new Proof("a secret".getBytes(US_ASCII), "job");
  final List<String> warnings = new CopyOnWriteArrayList<>();
  final ServerSocketChannel listener;
  final Door door;
  private final @Nullable Tls tls;

  DoorRig(@Nullable Tls tls) throws IOException {
    this.tls = tls;
    listener = ServerSocketChannel.open().bind(new InetSocketAddress(HERE, 0), 512);
    door = new Door(listener, new Log(warnings), proof, tls, 1, 2, LIMIT);
    door.open();
  }

  /** Keeps what is a warning, or worse. */
  private record Log(List<String> warnings) implements System.Logger {
    @Override
    public String getName() {
      return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.getSeverity() >= Level.WARNING.getSeverity();
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, @Nullable String message, Throwable thrown) {
      log(level, bundle, message, new Object[0]);
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object @Nullable ... values) {
      if (isLoggable(level)) {
        warnings.add(MessageFormat.format(String.valueOf(format), values));
      }
    }
  }

  /** What was logged, as soon as something was: who is dropped may learn it before. */
  List<String> warned() {
    long end = soon();
    while (warnings.isEmpty() && System.nanoTime() - end < 0) {
      Thread.yield();
    }
    return warnings;
  }

  /** A deadline that is never reached. */
  static long soon() {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
  }

  static SocketChannel connect(int port) throws IOException {
    SocketChannel channel = SocketChannel.open(new InetSocketAddress(HERE, port));
    channel.socket().setSoTimeout(20_000);
    return channel;
  }

  SocketChannel knock() throws IOException {
    return connect(listener.socket().getLocalPort());
  }

  /** What goes wrong when somebody connects; empty if nothing does. */
  String failure(SocketChannel channel, Proof proof, Handshake.Hello hello) {
    try {
      new Handshake(Line.of(tls, channel, true, Patience.until(soon())), proof).connect(hello);
      return "";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Whoever was here before: a peer is let in. */
  void meet() throws IOException {
    try (SocketChannel peer = knock()) {
      assertThat(failure(peer, proof, HELLO)).isEmpty();
      try (SocketChannel met = door.await(0, 0, Patience.until(soon())).socket()) {
        assertThat(met.isConnected()).isTrue();
      }
    }
  }

  /** What a stranger is answered, byte by byte, until it is dropped. */
  byte[] say(byte[]... words) throws IOException {
    try (Socket stranger = knock().socket()) {
      var heard = new ByteArrayOutputStream();
      try {
        for (byte[] word : words) {
          stranger.getOutputStream().write(word);
        }
        stranger.shutdownOutput();
        stranger.getInputStream().transferTo(heard);
      } catch (SocketException e) {
        assertThat(e).hasMessageMatching("(?i).*(reset|broken|abort|closed).*");
      }
      return heard.toByteArray();
    }
  }

  @Override
  public void close() {
    door.close();
  }
}
