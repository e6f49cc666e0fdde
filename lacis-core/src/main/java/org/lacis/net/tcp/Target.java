package org.lacis.net.tcp;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.net.KeyTable;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;

/**
 * Where the data of the frame that is being read goes: a lent block, memory of a get, registered
 * memory, or nowhere. Users' memory may go at any time: it is looked up again for every piece, and
 * held no longer than one is written. For the polling thread.
 */
final class Target {

  private final KeyTable keys;

  /** How many bytes are still to come. */
  private int missing;

  /** Where the next one goes: an address, or an offset in a segment or registration. */
  private long place;

  private long block;
  private @Nullable MemorySegment segment;
  private long key;
  private long keyOffset;
  private long keyLength;
  private boolean failed;
  private KeyTable.@Nullable Entry held;

  Target(KeyTable keys) {
    this.keys = keys;
  }

  int missing() {
    return missing;
  }

  /** Whether some of it found no memory to go to. */
  boolean hasFailed() {
    return failed;
  }

  private void reset(int length, long at) {
    missing = length;
    place = at;
    block = 0;
    segment = null;
    key = 0;
    failed = false;
  }

  /** To a block of this rank's own memory. */
  void block(long address, int length) {
    reset(length, address);
    block = address;
  }

  /** To a user's segment. */
  void segment(MemorySegment memory, long offset, int length) {
    reset(length, offset);
    segment = memory;
  }

  /** To registered memory; the put as a whole must be allowed. */
  void registered(long byKey, long offset, long total, long position, int length) {
    reset(length, offset + position);
    key = byKey;
    keyOffset = offset;
    keyLength = total;
    KeyTable.@Nullable Entry entry = keys.hold(key, keyOffset, keyLength, NetContext.WRITE);
    failed = entry == null;
    if (entry != null) {
      entry.release();
    }
  }

  /** The address where data may be put now, and until {@link #arrived}; 0 if there is none. */
  long hold() {
    if (block != 0) {
      return place;
    }
    MemorySegment memory = memory();
    long address = memory == null || !memory.isNative() ? 0 : memory.address() + at();
    if (address == 0) {
      letGo();
    }
    return address;
  }

  /** So many bytes were put where {@link #hold} said. */
  void arrived(int bytes) {
    letGo();
    place += bytes;
    missing -= bytes;
  }

  /** Takes data that was read already; answers how much of it. */
  int take(long from, int available) {
    int length = Math.min(available, missing);
    if (block != 0) {
      Memory.copy(from, place, length);
    } else {
      MemorySegment memory = memory();
      if (memory != null && memory.isNative()) {
        Memory.copy(from, memory.address() + at(), length);
      } else if (memory != null) {
        Memory.copyOut(from, memory, at(), length);
      }
    }
    arrived(length);
    return length;
  }

  private @Nullable MemorySegment memory() {
    if (failed) {
      return null;
    }
    MemorySegment memory = segment;
    if (memory == null) {
      held = keys.hold(key, keyOffset, keyLength, NetContext.WRITE);
      memory = held == null ? null : held.segment();
    }
    failed = memory == null || !memory.scope().isAlive();
    return failed ? null : memory;
  }

  private long at() {
    return held == null ? place : held.at(place);
  }

  private void letGo() {
    if (held != null) {
      held.release();
      held = null;
    }
  }
}
