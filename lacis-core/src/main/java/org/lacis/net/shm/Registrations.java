package org.lacis.net.shm;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.net.AtomicWord;
import org.lacis.net.KeySource;
import org.lacis.net.LocalCopy;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;

/**
 * The memory this rank lets peers read and write: the table in the shared file that they look keys
 * up in, and beside it the segments, for what only this rank reaches. Thread-safe, lock-free,
 * without allocation.
 */
final class Registrations {

  private static final int ALL_RIGHTS = NetContext.READ | NetContext.WRITE;

  private final ShmFile file;
  private final long table;
  private final FreeIndexes indexes;
  private final KeySource keys;

  /** By entry. Keeps registered memory reachable. Written before the key, and read before it. */
  private final @Nullable MemorySegment[] segments =
      new @Nullable MemorySegment[ShmLayout.TABLE_ENTRIES];

  Registrations(ShmFile file, KeySource keys) {
    this.file = file;
    this.table = file.address() + ShmLayout.TABLE;
    this.indexes = new FreeIndexes(table);
    this.keys = keys;
  }

  /** As {@link NetContext#register}. */
  long register(MemorySegment segment, long offset, long length, int rights) {
    Objects.checkFromIndexSize(offset, length, segment.byteSize());
    check(segment, rights);
    int index = takeIndex();
    if (index < 0) {
      return 0;
    }
    long entry = entry(index);
    long base = segment.isNative() ? segment.address() + offset : offset;
    int kind = segment.isNative() ? Grant.ADDRESS : Grant.SERVED;
    long fileOffset = base - file.address();
    if (kind == Grant.ADDRESS && fileOffset >= 0 && fileOffset <= file.length() - length) {
      kind = Grant.SHARED;
      base = fileOffset;
    }
    // Whoever sees something of what follows sees that the key before has ended.
    VarHandle.releaseFence();
    long generation = Memory.getLong(entry + ShmLayout.ENTRY_GENERATION) + 1;
    Memory.putLong(entry + ShmLayout.ENTRY_GENERATION, generation);
    Memory.putLong(entry + ShmLayout.ENTRY_BASE, base);
    Memory.putLong(entry + ShmLayout.ENTRY_LENGTH, length);
    Memory.putInt(entry + ShmLayout.ENTRY_KIND, Grant.word(kind, rights));
    segments[index] = segment;
    long key = keys.key(index, generation);
    Memory.putLongRelease(entry + ShmLayout.ENTRY_KEY, key);
    return key;
  }

  private static void check(MemorySegment segment, int rights) {
    if (rights <= 0 || rights > ALL_RIGHTS) {
      throw new IllegalArgumentException("rights are READ (1), WRITE (2) or both, not " + rights);
    }
    if (segment.isReadOnly() && (rights & NetContext.WRITE) != 0) {
      throw new IllegalArgumentException("a read-only segment cannot be registered for writing");
    }
  }

  /** An entry that nobody is at any more, or -1. Others stay where they are. */
  private int takeIndex() {
    int index = indexes.take();
    if (index < 0 || users(index) == 0) {
      return index;
    }
    int other = takeIndex();
    indexes.give(index);
    return other;
  }

  private long users(int index) {
    return Memory.getLongVolatile(entry(index) + ShmLayout.ENTRY_USERS);
  }

  /** As {@link NetContext#inUse}. */
  boolean inUse(long key) {
    int index = KeySource.index(key);
    // An entry is not used again before it is quiet: then this key is not its last one.
    return users(index) != 0
        && keys.key(index, Memory.getLong(entry(index) + ShmLayout.ENTRY_GENERATION)) == key;
  }

  /** As {@link NetContext#deregister}. */
  boolean deregister(long key) {
    int index = KeySource.index(key);
    // Of two threads that end the same registration, one succeeds.
    if (key == 0 || !Memory.compareAndSetLong(entry(index) + ShmLayout.ENTRY_KEY, key, 0)) {
      return false;
    }
    segments[index] = null;
    indexes.give(index);
    return true;
  }

  /**
   * Copies on behalf of a peer, between registered memory and a raw range.
   *
   * @param write whether registered memory is written, or read
   * @return {@link NetDevice#OK} or {@link NetDevice#NO_ACCESS}
   */
  int serve(boolean write, long key, long offset, long length, long raw) {
    // Read before the key is looked up: if that is valid then, this is its segment, and not that of
    // a registration which has got the entry meanwhile.
    MemorySegment segment = segments[KeySource.index(key)];
    VarHandle.acquireFence();
    long grant = Grant.hold(table, key, offset, length, write ? NetContext.WRITE : NetContext.READ);
    if (grant == Grant.REFUSED) {
      return NetDevice.NO_ACCESS;
    }
    try {
      return segment == null
          ? NetDevice.NO_ACCESS
          : LocalCopy.move(write, segment, at(segment, grant), raw, length);
    } finally {
      Grant.release(table, key);
    }
  }

  /** Where in its segment a granted place is. */
  private long at(MemorySegment segment, long grant) {
    long place = Grant.place(grant);
    return switch (Grant.kind(grant)) {
      case Grant.SHARED -> file.address() + place - segment.address();
      case Grant.ADDRESS -> place - segment.address();
      default -> place;
    };
  }

  /**
   * Changes a word on behalf of a peer.
   *
   * @param operation of {@link AtomicWord}
   * @param raw gets what was there before
   * @return {@link NetDevice#OK} or {@link NetDevice#NO_ACCESS}
   */
  int change(int operation, long operand, long expected, long key, long offset, long raw) {
    if (!AtomicWord.isKnown(operation)) {
      return NetDevice.NO_ACCESS;
    }
    MemorySegment segment = segments[KeySource.index(key)];
    VarHandle.acquireFence();
    long grant = Grant.hold(table, key, offset, AtomicWord.bytes(operation), ALL_RIGHTS);
    if (grant == Grant.REFUSED) {
      return NetDevice.NO_ACCESS;
    }
    try {
      return segment != null && segment.scope().isAlive()
          ? change(operation, operand, expected, segment, grant, raw)
          : NetDevice.NO_ACCESS;
    } finally {
      Grant.release(table, key);
    }
  }

  private int change(
      int operation, long operand, long expected, MemorySegment segment, long grant, long raw) {
    // Native memory by address: a segment of a confined arena refuses every thread but its own.
    MemorySegment memory = segment.isNative() ? Memory.all() : segment;
    long place = Grant.place(grant) + (Grant.kind(grant) == Grant.SHARED ? file.address() : 0);
    try {
      long found = AtomicWord.apply(operation, memory, place, operand, expected);
      AtomicWord.store(operation, found, Memory.all(), raw);
      return NetDevice.OK;
    } catch (IllegalArgumentException e) {
      return NetDevice.NO_ACCESS; // not aligned
    }
  }

  private long entry(int index) {
    return table + ((long) index << ShmLayout.ENTRY_SHIFT);
  }
}
