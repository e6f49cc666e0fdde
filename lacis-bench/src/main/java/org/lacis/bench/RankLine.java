package org.lacis.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** The line to one rank. Every read has a limit. */
final class RankLine implements AutoCloseable {
  /** No line is longer: what is, is not of ours. */
  private static final int MAX_LINE = 4096;

  private final Socket socket;
  private final InputStream in;

  RankLine(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    this.in = socket.getInputStream();
  }

  void send(String line) throws IOException {
    socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** The next line, if it is there before this time of {@link System#nanoTime}. */
  String read(long deadline) throws IOException {
    var bytes = new ByteArrayOutputStream();
    while (bytes.size() < MAX_LINE) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new SocketTimeoutException("no answer in time");
      }
      socket.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
      int b = in.read();
      if (b < 0) {
        throw new IOException("it has ended");
      }
      if (b == '\n') {
        return bytes.toString(StandardCharsets.UTF_8);
      }
      bytes.write(b);
    }
    throw new IOException("a line of more than " + MAX_LINE + " bytes");
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone, which is what was wanted.
    }
  }
}
