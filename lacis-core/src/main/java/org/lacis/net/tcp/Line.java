package org.lacis.net.tcp;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A connection while it is being made: what is sent and received waits, with patience. For one
 * thread at a time.
 */
interface Line {

  /** Sends bytes. */
  void send(byte[] bytes) throws IOException;

  /** Receives as many bytes. */
  byte[] receive(int length) throws IOException;

  /** What only the two ends of this connection know; empty if everybody may know all of it. */
  byte[] binding();

  /** What it has become, for who does not wait. */
  Wire wire() throws IOException;

  /**
   * Begins one.
   *
   * @param tls null for a plain one
   * @param socket in blocking mode
   * @param connects whether this is the side that connects
   * @param patience for all of it
   */
  static Line of(@Nullable Tls tls, SocketChannel socket, boolean connects, Patience patience)
      throws IOException {
    PlainLine plain = new PlainLine(socket, patience);
    return tls == null ? plain : tls.line(plain, connects);
  }
}
