package org.lacis.net.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * The end of a connection that this rank closes: what was accepted still goes, then the peer is
 * told, and its answer, the end of its own stream, is waited for in the background. Closing at once
 * would be a reset if the peer has sent anything meanwhile, and a reset takes back what is under
 * way.
 */
final class Farewell {

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final SocketChannel channel;
  private final Writer writer;
  private final long deadline = System.nanoTime() + LIMIT_NANOS;
  private final ByteBuffer waste = ByteBuffer.allocateDirect(4096);
  private boolean said;

  /**
   * Begins it.
   *
   * @param writer what is left to be sent
   * @param deviceOnly whether the rank stays
   */
  Farewell(SocketChannel channel, Writer writer, boolean deviceOnly) {
    this.channel = channel;
    this.writer = writer;
    writer.close(deviceOnly);
  }

  /** Goes on; whether it is over. */
  boolean proceed() {
    try {
      if (!said && writer.finish()) {
        said = true;
        channel.shutdownOutput();
      }
      int some;
      do {
        some = channel.read(waste.clear());
      } while (some > 0);
      if (some < 0 || System.nanoTime() - deadline > 0) {
        channel.close();
        return true;
      }
      return false;
    } catch (IOException e) {
      return abandon();
    }
  }

  private boolean abandon() {
    try {
      channel.close();
    } catch (IOException e) {
      return true;
    }
    return true;
  }
}
