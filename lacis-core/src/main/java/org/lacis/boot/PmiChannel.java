package org.lacis.boot;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Lines of limited length, and now and then a block of bytes, over a pair of streams. One thread
 * reads; any thread may write. Not tied to sockets: an inherited descriptor needs no more than its
 * two streams.
 */
final class PmiChannel implements Closeable {
  private final InputStream in;
  private final OutputStream out;
  private final Closeable owner;
  private final byte[] buffer = new byte[PmiLine.MAX_LENGTH];
  private int start;
  private int end;

  PmiChannel(InputStream in, OutputStream out, Closeable owner) {
    this.in = in;
    this.out = out;
    this.owner = owner;
  }

  static PmiChannel over(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    return new PmiChannel(socket.getInputStream(), socket.getOutputStream(), socket);
  }

  /**
   * The next line, or null if the other side has closed in good order, between two lines.
   *
   * @throws BootException if the line is too long
   * @throws EOFException if the other side has closed within a line
   */
  @Nullable String readLine() throws IOException {
    int scanned = start;
    while (true) {
      for (; scanned < end; scanned++) {
        if (buffer[scanned] == '\n') {
          String line = new String(buffer, start, scanned - start, StandardCharsets.ISO_8859_1);
          start = scanned + 1;
          return line;
        }
      }
      if (end - start == buffer.length) {
        throw new BootException("a PMI line is longer than " + PmiLine.MAX_LENGTH + " bytes");
      }
      if (start > 0) {
        System.arraycopy(buffer, start, buffer, 0, end - start);
        end -= start;
        scanned -= start;
        start = 0;
      }
      int n = in.read(buffer, end, buffer.length - end);
      if (n < 0) {
        if (end > start) {
          throw new EOFException("the connection was closed in the middle of a line");
        }
        return null;
      }
      end += n;
    }
  }

  /** The next {@code length} bytes, whatever they are. */
  byte[] readBytes(int length) throws IOException {
    byte[] bytes = new byte[length];
    int buffered = Math.min(length, end - start);
    System.arraycopy(buffer, start, bytes, 0, buffered);
    start += buffered;
    if (in.readNBytes(bytes, buffered, length - buffered) < length - buffered) {
      throw new EOFException("the connection was closed in the middle of " + length + " bytes");
    }
    return bytes;
  }

  /** Reads and forgets everything up to the end. */
  void skipAll() throws IOException {
    start = 0;
    end = 0;
    while (in.read(buffer) >= 0) {}
  }

  void write(PmiLine line) throws IOException {
    write(line, null);
  }

  /** Writes a line and, behind it, a block of bytes. */
  synchronized void write(PmiLine line, byte @Nullable [] block) throws IOException {
    byte[] bytes = line.toString().concat("\n").getBytes(StandardCharsets.ISO_8859_1);
    if (bytes.length > PmiLine.MAX_LENGTH) {
      throw new IllegalArgumentException("a PMI line of " + bytes.length + " bytes is too long");
    }
    out.write(bytes);
    if (block != null) {
      out.write(block);
    }
    out.flush();
  }

  @Override
  public void close() throws IOException {
    owner.close();
  }
}
