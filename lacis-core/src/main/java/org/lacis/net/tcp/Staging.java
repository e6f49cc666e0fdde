package org.lacis.net.tcp;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** Bytes that wait for the socket, in order. Bounded. For one thread at a time. */
final class Staging {

  private final MemorySegment memory;
  private final ByteBuffer buffer;
  private final long base;
  private final int capacity;
  private int head;
  private int tail;

  /** How many bytes there were before the first one that is kept. */
  private long before;

  Staging(int capacity) {
    this.capacity = capacity;
    this.memory = Arena.ofAuto().allocate(capacity, 64);
    this.buffer = memory.asByteBuffer();
    this.base = memory.address();
  }

  /** Room for so many bytes at the end: their address, or 0. They must be written. */
  long append(int bytes) {
    if (tail > capacity - bytes && !makeRoom(bytes)) {
      return 0;
    }
    long at = base + tail;
    tail += bytes;
    return at;
  }

  private boolean makeRoom(int bytes) {
    if (tail - head > capacity - bytes) {
      return false;
    }
    MemorySegment.copy(memory, head, memory, 0, tail - head);
    before += head;
    tail -= head;
    head = 0;
    return true;
  }

  /** Takes back the end of what was appended last. */
  void takeBack(int bytes) {
    tail -= bytes;
  }

  /** How many bytes fit. */
  int room() {
    return capacity - (tail - head);
  }

  int size() {
    return tail - head;
  }

  /** Where the end is, in bytes since the beginning. */
  long end() {
    return before + tail;
  }

  /** Writes up to a place; whether it got there. */
  boolean writeTo(WritableByteChannel channel, long end) throws IOException {
    int to = (int) (end - before);
    if (head < to) {
      buffer.limit(to).position(head);
      channel.write(buffer);
      head = buffer.position();
    }
    if (head < to) {
      return false;
    }
    if (head == tail) {
      before += tail;
      head = 0;
      tail = 0;
    }
    return true;
  }
}
