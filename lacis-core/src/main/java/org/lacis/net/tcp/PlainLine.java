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
  private final long deadline;

  PlainLine(SocketChannel channel, long deadline) {
    this.channel = channel;
    this.socket = channel.socket();
    this.deadline = deadline;
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
    long left = (deadline - System.nanoTime()) / 1_000_000;
    if (left <= 0) {
      throw new SocketTimeoutException("it says nothing");
    }
    socket.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
    int some = socket.getInputStream().read(bytes, from, most);
    if (some < 0) {
      throw new EOFException("it has hung up");
    }
    return some;
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
