package org.lacis.net.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetSink;

/**
 * What comes from one peer: many frames with one system call, and the data of long ones straight to
 * where it belongs. For the polling thread.
 */
final class Inbox {

  /** After the data of a long frame so much is read for the head of the next. */
  private static final int HEAD_READ = 512;

  /** What one poll reads at most, about. */
  private static final int BUDGET = 2 << 20;

  private final ByteChannel channel;
  private final TcpMemory known;
  private final MemorySegment memory;
  private final ByteBuffer buffer;
  private final long base;
  private final int capacity;
  private final Decoder decoder;
  private final Windows windows = new Windows();

  /** What was read and is not decoded yet. */
  private int head;

  private int tail;

  /** How much to read next. */
  private int readLimit;

  /** Whether the last read has found less than there was room for: there is no more now. */
  private boolean drained;

  private boolean ended;
  private boolean heard;

  /** Whether the last poll has read anything. */
  private boolean busy;

  private boolean moved;

  private @Nullable String forged;

  Inbox(ByteChannel channel, Decoder decoder, TcpMemory known, int bytes) {
    this.channel = channel;
    this.decoder = decoder;
    this.capacity = bytes;
    this.readLimit = bytes;
    this.known = known;
    this.memory = known.slab(bytes);
    this.buffer = memory.asByteBuffer();
    this.base = memory.address();
  }

  /** Nothing is delivered any more. */
  void close() {
    known.forget(memory);
  }

  /** Nothing more is waited for. */
  void giveUp() {
    ended = true;
  }

  /** Whether something has come since the last time this was asked. */
  boolean heard() {
    boolean was = heard;
    heard = false;
    return was;
  }

  /** Whether the last poll has found the socket empty. */
  boolean isQuiet() {
    return !busy;
  }

  /** Whether data of a long frame has come since the last time this was asked. */
  boolean takeMoved() {
    boolean was = moved;
    moved = false;
    return was;
  }

  /** Whether nothing more comes. */
  boolean isEnded() {
    return ended;
  }

  /** What was wrong with TLS, as only something between the two ranks can make it; or null. */
  @Nullable String forged() {
    return forged;
  }

  /**
   * Reads and handles what has come.
   *
   * @param limit about how many messages to deliver at most
   * @return how many messages and completions were delivered
   */
  int poll(NetSink sink, int limit) {
    int count = 0;
    int budget = BUDGET;
    drained = false;
    busy = false;
    try {
      while (true) {
        count += decode(sink, limit - count);
        if (ended || drained || count >= limit || budget <= 0 || decoder.isClosed()) {
          break;
        }
        int some = read();
        if (some <= 0) {
          ended = some < 0;
          break;
        }
        heard = true;
        busy = true;
        budget -= some;
      }
    } catch (IOException e) {
      ended = true; // reset: as good as the end
      if (e instanceof SSLException) {
        forged = String.valueOf(e.getMessage());
      }
    }
    return count;
  }

  private int decode(NetSink sink, int limit) {
    int count = 0;
    while (count < limit && !ended && !decoder.isClosed()) {
      if (decoder.wantsData()) {
        head += decoder.target().take(base + head, tail - head);
        if (decoder.target().missing() > 0) {
          break;
        }
        count += decoder.dataEnded(sink);
        ended = decoder.violation() != null;
        continue;
      }
      int used = decoder.frame(base + head, tail - head, sink);
      if (used <= 0) {
        ended |= used < 0;
        break;
      }
      head += used;
      count += decoder.delivered();
    }
    return count;
  }

  private int read() throws IOException {
    long address = decoder.wantsData() ? decoder.target().hold() : 0;
    if (address != 0) {
      return readData(address);
    }
    if (head < tail) {
      MemorySegment.copy(memory, head, memory, 0, tail - head);
    }
    tail -= head;
    head = 0;
    int end = Math.min(capacity, tail + readLimit);
    int some = channel.read(buffer.limit(end).position(tail));
    tail = buffer.position();
    drained = tail < end;
    readLimit = capacity;
    return some;
  }

  /** Reads to where it belongs. Nothing is buffered now. */
  private int readData(long address) throws IOException {
    Target target = decoder.target();
    int wanted = target.missing();
    int some = 0;
    try {
      some = channel.read(windows.over(address, wanted));
    } finally {
      target.arrived(Math.max(some, 0));
    }
    drained = some < wanted;
    moved |= some > 0;
    readLimit = HEAD_READ;
    return some;
  }
}
