package org.lacis.net.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;

/** Bytes as they are. */
final class PlainLine implements Line {

  private final SocketChannel channel;
  private final Socket socket;
  private final Patience patience;

  PlainLine(SocketChannel channel, Patience patience) {
    this.channel = channel;
    this.socket = channel.socket();
    this.patience = patience;
  }

  SocketChannel channel() {
    return channel;
  }

  @Override
  public void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  @Override
  public byte[] receive(int length) throws IOException {
    byte[] bytes = new byte[length];
    int have = 0;
    while (have < length) {
      have += receive(bytes, have, length - have);
    }
    return bytes;
  }

  /** Receives some bytes, at least one. */
  int receive(byte[] bytes, int from, int most) throws IOException {
    while (true) {
      socket.setSoTimeout(patience.slice());
      try {
        int some = socket.getInputStream().read(bytes, from, most);
        if (some < 0) {
          throw new EOFException("it has hung up");
        }
        return some;
      } catch (SocketTimeoutException e) {
        assert e.bytesTransferred == 0; // nothing has come yet
      }
    }
  }

  @Override
  public byte[] binding() {
    return new byte[0];
  }

  @Override
  public Wire wire() throws IOException {
    return Wire.of(channel, channel);
  }
}
