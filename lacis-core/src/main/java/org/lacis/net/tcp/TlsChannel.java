package org.lacis.net.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A socket with TLS over it. One thread may read while another writes. Its buffers are as long as
 * those of a plain connection and do not grow; beside them nothing is kept, and nothing allocated
 * but what the JDK's engine allocates.
 *
 * <p>The end of the stream is not told in TLS's own way: the last frame is a farewell, and a stream
 * that ends without one was cut.
 */
final class TlsChannel implements ByteChannel {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SocketChannel socket;
  private final SSLEngine engine;

  /** The longest record, and the longest content of one. */
  private final int recordBytes;

  private final int contentBytes;

  /** How to wait; null when nobody waits any more. */
  private @Nullable PlainLine waiting;

  // The writer's. Arrays, as the JDK's ciphers are faster with these.

  /** Records that are not all with the socket. */
  private final ByteBuffer out;

  /** How many bytes they hold, which whoever writes has not been told of. */
  private int held;

  // The reader's.

  /** What the socket has brought. */
  private final ByteBuffer in;

  /** The rest of a record that was longer than what was asked for. */
  private final ByteBuffer rest;

  TlsChannel(SocketChannel socket, PlainLine waiting, SSLEngine engine, int bufferBytes) {
    this.socket = socket;
    this.waiting = waiting;
    this.engine = engine;
    this.recordBytes = engine.getSession().getPacketBufferSize();
    this.contentBytes = engine.getSession().getApplicationBufferSize();
    this.out = ByteBuffer.allocate(Math.max(bufferBytes, recordBytes)).limit(0);
    this.in = ByteBuffer.allocate(Math.max(bufferBytes, recordBytes)).limit(0);
    this.rest = ByteBuffer.allocate(contentBytes).limit(0);
  }

  /** From now on reads and writes return at once. */
  void waitNoMore() {
    waiting = null;
  }

  /** Sends what TLS has to say for itself. For who waits. */
  void tell() throws IOException {
    wrap(NOTHING);
    socket.write(out);
  }

  /** Receives what TLS has to hear for itself. For who waits. */
  void hear() throws IOException {
    if (!unwrap(NOTHING)) {
      fill();
    }
  }

  /**
   * Writes what the socket takes. Bytes count as written when all of their record is with the
   * socket; until then they are to be offered again, and are not looked at any more.
   */
  @Override
  public int write(ByteBuffer source) throws IOException {
    int start = source.position();
    while (true) {
      if (out.hasRemaining()) {
        socket.write(out);
        if (out.hasRemaining()) {
          break;
        }
      }
      int known = Math.min(held, source.remaining());
      source.position(source.position() + known);
      held -= known;
      if (!source.hasRemaining()) {
        break;
      }
      int before = source.position();
      wrap(source);
      held = source.position() - before;
      source.position(before);
    }
    return source.position() - start;
  }

  /** Makes records of what is offered, as many as there is room for. */
  private void wrap(ByteBuffer source) throws SSLException {
    out.clear();
    try {
      do {
        SSLEngineResult result = engine.wrap(source, out);
        if (result.getStatus() != SSLEngineResult.Status.OK
            || (result.bytesProduced() == 0 && source.hasRemaining())) {
          throw new SSLException("TLS has ended: " + result);
        }
      } while (source.hasRemaining() && out.remaining() >= recordBytes);
    } finally {
      out.flip();
    }
  }

  /** Reads until there is no more, or all that was asked for. */
  @Override
  public int read(ByteBuffer target) throws IOException {
    int start = target.position();
    int end = 0;
    boolean more = true;
    while (target.hasRemaining()) {
      if (rest.hasRemaining()) {
        int some = Math.min(rest.remaining(), target.remaining());
        target.put(target.position(), rest, rest.position(), some);
        target.position(target.position() + some);
        rest.position(rest.position() + some);
      } else if (!unwrap(target)) {
        int room = in.capacity() - in.remaining();
        int some = more ? fill() : 0;
        if (some <= 0) {
          end = some;
          break;
        }
        // Less than there was room for: the socket has no more now.
        more = some == room;
      }
    }
    int read = target.position() - start;
    return read == 0 ? end : read;
  }

  /** Takes the content out of a record; false if there is no whole one. */
  private boolean unwrap(ByteBuffer target) throws SSLException {
    if (!in.hasRemaining()) {
      return false;
    }
    boolean fits = target.remaining() >= contentBytes;
    SSLEngineResult result = engine.unwrap(in, fits ? target : rest.clear());
    if (!fits) {
      rest.flip();
    }
    return switch (result.getStatus()) {
      case OK -> {
        // Once the connection is made nothing may come that TLS would have to think about.
        if (waiting == null && result.bytesConsumed() == 0) {
          throw new SSLException("TLS has ended: " + result);
        }
        yield true;
      }
      case BUFFER_UNDERFLOW -> false;
      case BUFFER_OVERFLOW, CLOSED -> throw new SSLException("TLS has ended: " + result);
    };
  }

  private int fill() throws IOException {
    in.compact();
    try {
      PlainLine line = waiting;
      if (line == null) {
        return socket.read(in);
      }
      int some = line.receive(in.array(), in.position(), in.remaining());
      in.position(in.position() + some);
      return some;
    } finally {
      in.flip();
    }
  }

  @Override
  public boolean isOpen() {
    return socket.isOpen();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
