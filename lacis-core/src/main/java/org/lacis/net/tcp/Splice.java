package org.lacis.net.tcp;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ByteChannel;
import org.jspecify.annotations.Nullable;
import org.lacis.net.KeyTable;
import org.lacis.net.NetContext;

/**
 * The data of a frame that is written straight from where it is, when the staged bytes before it
 * are out. For one thread at a time.
 */
final class Splice {

  private static final MemorySegment ZEROS = Arena.global().allocate(64 << 10, 64);

  private final ByteChannel channel;
  private final KeyTable keys;
  private final Windows windows = new Windows();
  private @Nullable Load load;
  private long at;
  private int left;
  private boolean closed;

  Splice(ByteChannel channel, KeyTable keys) {
    this.channel = channel;
    this.keys = keys;
  }

  boolean isSet() {
    return load != null;
  }

  /** Where in the stream of staged bytes it comes. */
  long at() {
    return at;
  }

  /**
   * Has data written next.
   *
   * @param place where in the stream of staged bytes
   */
  void set(Load of, long place, int length) {
    load = of;
    at = place;
    left = length;
  }

  /** From now on users' memory is not touched. */
  void close() {
    closed = true;
  }

  /** Writes some of it; how much, 0 if the socket is full. */
  int write() throws IOException {
    Load of = load;
    if (of == null || left == 0) {
      return 0;
    }
    int some = write(of);
    left -= some;
    of.sent += some;
    return some;
  }

  /** The load, if its data is out, which is then forgotten. */
  @Nullable Load takeEnded() {
    Load ended = left == 0 ? load : null;
    if (ended != null) {
      load = null;
    }
    return ended;
  }

  private int write(Load of) throws IOException {
    if (of.kind == Frames.PACKET) {
      return channel.write(windows.over(of.offset + of.sent, left));
    }
    if (closed) {
      return fill();
    }
    if (of.kind == Frames.PUT) {
      MemorySegment memory = of.segment;
      return memory.scope().isAlive()
          ? channel.write(windows.over(memory.address() + of.offset + of.sent, left))
          : fill();
    }
    KeyTable.@Nullable Entry entry = keys.hold(of.key, of.keyOffset, of.length, NetContext.READ);
    if (entry == null) {
      return fill();
    }
    try {
      long from = entry.segment().address() + entry.at(of.keyOffset + of.sent);
      return channel.write(windows.over(from, left));
    } finally {
      entry.release();
    }
  }

  /** The memory has gone, and the frame is half written: something has to fill it. */
  private int fill() throws IOException {
    int length = (int) Math.min(left, ZEROS.byteSize());
    return channel.write(windows.over(ZEROS.address(), length));
  }
}
