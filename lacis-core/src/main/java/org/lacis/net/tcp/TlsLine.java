package org.lacis.net.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;

/** Bytes in TLS. */
final class TlsLine implements Line {

  private final SocketChannel socket;
  private final TlsChannel channel;
  private final byte[] binding;

  private TlsLine(SocketChannel socket, TlsChannel channel, byte[] binding) {
    this.socket = socket;
    this.channel = channel;
    this.binding = binding;
  }

  /** Agrees with the other side on what TLS needs. */
  static TlsLine begin(PlainLine below, SSLEngine engine, int bufferBytes) throws IOException {
    SocketChannel socket = below.channel();
    TlsChannel channel = new TlsChannel(socket, below, engine, bufferBytes);
    engine.beginHandshake();
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> {
          for (Runnable task = engine.getDelegatedTask();
              task != null;
              task = engine.getDelegatedTask()) {
            task.run();
          }
        }
        case NEED_WRAP -> channel.tell();
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> channel.hear();
        case FINISHED, NOT_HANDSHAKING -> {
          return new TlsLine(socket, channel, Tls.binding(engine));
        }
      }
    }
  }

  @Override
  public void send(byte[] bytes) throws IOException {
    channel.write(ByteBuffer.wrap(bytes));
  }

  @Override
  public byte[] receive(int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        throw new EOFException("it has hung up");
      }
    }
    return bytes.array();
  }

  @Override
  public byte[] binding() {
    return binding;
  }

  @Override
  public Wire wire() throws IOException {
    channel.waitNoMore();
    return Wire.of(socket, channel);
  }
}
