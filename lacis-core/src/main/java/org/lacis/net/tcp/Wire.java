package org.lacis.net.tcp;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;

/**
 * A connection that is made, and does not wait any more.
 *
 * @param socket what is closed in the end
 * @param bytes what is read and written: the socket itself, or TLS over it
 */
record Wire(SocketChannel socket, ByteChannel bytes) {

  static Wire of(SocketChannel socket, ByteChannel bytes) throws IOException {
    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    socket.configureBlocking(false);
    return new Wire(socket, bytes);
  }
}
