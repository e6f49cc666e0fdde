package org.lacis.boot;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Lines of limited length, and now and then a block of bytes, over a pair of streams. One thread
 * reads; any thread may write. Lines end as in PMI-1, with a newline; after {@link #speakTwo} they
 * begin as in PMI-2, with their length.
 */
final class PmiChannel implements Closeable {
  private static final int LENGTH_DIGITS = 6;
  private static final int CONNECT_MILLIS = 10_000;

  private final InputStream in;
  private final OutputStream out;
  private final Closeable owner;
  private final byte[] buffer = new byte[PmiLine.MAX_LENGTH];
  private int start;
  private int end;
  private volatile PmiVersion version = PmiVersion.ONE;

  PmiChannel(InputStream in, OutputStream out, Closeable owner) {
    this.in = in;
    this.out = out;
    this.owner = owner;
  }

  static PmiChannel over(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    return new PmiChannel(socket.getInputStream(), socket.getOutputStream(), socket);
  }

  /** Connects to the launcher. */
  static PmiChannel to(PmiEnv env) {
    try {
      if (env.fd() >= 0) {
        Descriptor descriptor = Descriptor.of(env.fd());
        return new PmiChannel(descriptor.in(), descriptor.out(), descriptor);
      }
      Socket socket = new Socket(Proxy.NO_PROXY);
      socket.connect(new InetSocketAddress(env.host(), env.port()), CONNECT_MILLIS);
      return over(socket);
    } catch (IOException e) {
      String hint =
          env.fd() < 0
              ? " (PMI_PORT): "
              : " (PMI_FD): is it the child of a rank? Then remove PMI_FD from its environment. ";
      throw new BootException(
          "rank " + env.rank() + " cannot reach its launcher " + env.way() + hint + e.getMessage(),
          e);
    }
  }

  /** From the next line on, both ways, it is PMI-2. Called by the thread that reads. */
  void speakTwo() {
    version = PmiVersion.TWO;
  }

  /**
   * The next line, or null if the other side has closed in good order, between two lines.
   *
   * @throws BootException if the line is too long, or is none
   * @throws EOFException if the other side has closed within a line
   */
  @Nullable PmiLine readLine() throws IOException {
    return version == PmiVersion.ONE ? readOne() : readTwo();
  }

  private @Nullable PmiLine readOne() throws IOException {
    int scanned = start;
    while (true) {
      for (; scanned < end; scanned++) {
        if (buffer[scanned] == '\n') {
          String line = text(scanned - start);
          start++;
          return PmiLine.parse(line);
        }
      }
      scanned -= start;
      if (!fill()) {
        return null;
      }
    }
  }

  private @Nullable PmiLine readTwo() throws IOException {
    int wanted = LENGTH_DIGITS;
    while (end - start < wanted) {
      if (!fill()) {
        return null;
      }
    }
    String digits = text(LENGTH_DIGITS).strip();
    try {
      wanted = Integer.parseUnsignedInt(digits);
    } catch (NumberFormatException e) {
      throw new BootException("not the length of a PMI-2 line: " + PmiLine.quoted(digits), e);
    }
    if (wanted > buffer.length) {
      throw tooLong();
    }
    while (end - start < wanted) {
      if (!fill()) {
        throw cutOff();
      }
    }
    return PmiLine.parseTwo(text(wanted));
  }

  /** The next bytes of the buffer, which are taken from it. */
  private String text(int length) {
    String text = new String(buffer, start, length, StandardCharsets.ISO_8859_1);
    start += length;
    return text;
  }

  /** Reads more into the buffer, from its beginning; false at the end. */
  private boolean fill() throws IOException {
    if (end - start == buffer.length) {
      throw tooLong();
    }
    System.arraycopy(buffer, start, buffer, 0, end - start);
    end -= start;
    start = 0;
    int n = in.read(buffer, end, buffer.length - end);
    if (n < 0 && end > 0) {
      throw cutOff();
    }
    end += Math.max(0, n);
    return n >= 0;
  }

  private static BootException tooLong() {
    return new BootException("a PMI line is longer than " + PmiLine.MAX_LENGTH + " bytes");
  }

  private static EOFException cutOff() {
    return new EOFException("the connection was closed in the middle of a line");
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
    String text = line.toString();
    if (version == PmiVersion.ONE) {
      text = text.concat("\n");
    } else {
      text = line.textTwo();
      text = "%6d".formatted(text.length()).concat(text);
    }
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
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
