package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.BufferList;
import org.lacis.net.Memory;

/**
 * The payload of a message whose {@linkplain Frame#isList list} bit is set. It travels in a packet.
 *
 * <pre>
 *  0   parts                       4   bytes of piggyback
 *  8   immediate of an active message's request, or of a signal; else 0
 *  16  for each part: key (8 bytes; 0 if eager, or empty), length (8 bytes)
 *      the piggyback
 *      the parts, one after the other   (eager only)
 * </pre>
 */
final class ListFrame {

  private static final int COUNT = 0;
  private static final int PIGGYBACK = 4;
  private static final int IMMEDIATE = 8;
  private static final int ENTRIES = 16;
  private static final int ENTRY = 16;
  private static final int LENGTH = 8;

  private ListFrame() {}

  /** The bytes in front of the piggyback. */
  static int tableBytes(int count) {
    return ENTRIES + ENTRY * count;
  }

  /** The bytes in front of the data. */
  static int headBytes(BufferList list) {
    MemorySegment piggyback = list.piggyback();
    return tableBytes(list.count()) + (piggyback == null ? 0 : (int) piggyback.byteSize());
  }

  /** Writes everything in front of the data; keys are those of a request, or null. */
  static void writeHead(long at, BufferList list, long @Nullable [] keys, long immediate) {
    int count = list.count();
    MemorySegment piggyback = list.piggyback();
    int extra = piggyback == null ? 0 : (int) piggyback.byteSize();
    Memory.putInt(at + COUNT, count);
    Memory.putInt(at + PIGGYBACK, extra);
    Memory.putLong(at + IMMEDIATE, immediate);
    for (int i = 0; i < count; i++) {
      long entry = at + tableBytes(i);
      Memory.putLong(entry, keys == null ? 0 : keys[i]);
      Memory.putLong(entry + LENGTH, list.part(i).byteSize());
    }
    if (piggyback != null) {
      copyIn(piggyback, at + tableBytes(count));
    }
  }

  /** Writes the parts behind the head. */
  static void writeData(long at, BufferList list) {
    for (int i = 0; i < list.count(); i++) {
      MemorySegment part = list.part(i);
      copyIn(part, at);
      at += part.byteSize();
    }
  }

  /** From whatever thread, since progress may be made by another than the poster. */
  private static void copyIn(MemorySegment buffer, long to) {
    MemorySegment from = Buffers.shareable(buffer);
    Memory.copyIn(from, Buffers.offset(from, buffer, 0), to, buffer.byteSize());
  }

  static int count(long at) {
    return Memory.getInt(at + COUNT);
  }

  static int piggyback(long at) {
    return Memory.getInt(at + PIGGYBACK);
  }

  static long piggybackAddress(long at) {
    return at + tableBytes(count(at));
  }

  static int headBytes(long at) {
    return tableBytes(count(at)) + piggyback(at);
  }

  static long immediate(long at) {
    return Memory.getLong(at + IMMEDIATE);
  }

  static long key(long at, int part) {
    return Memory.getLong(at + tableBytes(part));
  }

  static long length(long at, int part) {
    return Memory.getLong(at + tableBytes(part) + LENGTH);
  }

  /** The length of all parts together. */
  static long total(long at) {
    long total = 0;
    for (int i = 0, n = count(at); i < n; i++) {
      total += length(at, i);
    }
    return total;
  }

  /** Whether what has come is one: a peer must not be able to make us read beside it. */
  static boolean isSound(long at, int bytes, boolean eager) {
    if (bytes < ENTRIES) {
      return false;
    }
    int count = count(at);
    if (count < 0 || count > BufferList.MAX_PARTS || tableBytes(count) > bytes) {
      return false;
    }
    int extra = piggyback(at);
    if (extra < 0 || extra > bytes - tableBytes(count)) {
      return false;
    }
    long left = eager ? bytes - headBytes(at) : Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      long length = length(at, i);
      if (length < 0 || length > left) {
        return false;
      }
      left -= length;
    }
    return true;
  }
}
