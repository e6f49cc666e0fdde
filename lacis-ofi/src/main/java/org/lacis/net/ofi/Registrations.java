package org.lacis.net.ofi;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.lacis.net.AtomicWord;
import org.lacis.net.KeySource;
import org.lacis.net.LocalCopy;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;

/**
 * The memory this rank lets peers read and write. Only this rank looks keys up, when it carries out
 * what peers ask for: so a key that has ended is refused from then on, and how many are at an
 * entry's memory is known exactly. Thread-safe, lock-free, without allocation.
 */
final class Registrations {

  private static final int ALL_RIGHTS = NetContext.READ | NetContext.WRITE;
  private static final int ENTRIES = 1 << 16;

  private final KeySource keys;

  /** The key of each entry; 0 if it has ended. Written last, and read first and last. */
  private final AtomicLongArray valid = new AtomicLongArray(ENTRIES);

  /** How many accesses are under way. */
  private final AtomicIntegerArray users = new AtomicIntegerArray(ENTRIES);

  private final @Nullable MemorySegment[] segments = new @Nullable MemorySegment[ENTRIES];
  private final long[] offsets = new long[ENTRIES];
  private final long[] lengths = new long[ENTRIES];
  private final int[] rights = new int[ENTRIES];
  private final long[] generations = new long[ENTRIES];
  private final long[] last = new long[ENTRIES];

  /** Whether keys are given: then whoever gives them knows which entries are free. */
  private volatile boolean given;

  /** How often it changed (upper half, against ABA), and the first free entry plus one. */
  private final AtomicLong free = new AtomicLong();

  private final AtomicIntegerArray next = new AtomicIntegerArray(ENTRIES);
  private final AtomicInteger used = new AtomicInteger();

  Registrations(KeySource keys) {
    this.keys = keys;
  }

  /** As {@link NetContext#register}. */
  long register(MemorySegment segment, long offset, long length, int allowed) {
    check(segment, offset, length, allowed);
    int index = takeQuiet();
    if (index < 0) {
      return 0;
    }
    long key = keys.key(index, ++generations[index]);
    fill(index, key, segment, offset, length, allowed);
    return key;
  }

  /**
   * The same under a given key. Its entry is the one of its index: nobody else takes any.
   *
   * @return false if a peer is still at what the entry was used for before
   */
  boolean register(long key, MemorySegment segment, long offset, long length, int allowed) {
    check(segment, offset, length, allowed);
    int index = KeySource.index(key);
    if (key == 0 || valid.get(index) != 0 || users.get(index) != 0) {
      return false;
    }
    given = true;
    fill(index, key, segment, offset, length, allowed);
    return true;
  }

  private static void check(MemorySegment segment, long offset, long length, int allowed) {
    Objects.checkFromIndexSize(offset, length, segment.byteSize());
    if (allowed <= 0 || allowed > ALL_RIGHTS) {
      throw new IllegalArgumentException("rights are READ (1), WRITE (2) or both, not " + allowed);
    }
    if (segment.isReadOnly() && (allowed & NetContext.WRITE) != 0) {
      throw new IllegalArgumentException("a read-only segment cannot be registered for writing");
    }
  }

  private void fill(
      int index, long key, MemorySegment segment, long offset, long length, int allowed) {
    last[index] = key;
    segments[index] = segment;
    offsets[index] = offset;
    lengths[index] = length;
    rights[index] = allowed;
    valid.set(index, key);
  }

  /** An entry that nobody is at any more, or -1. Others stay free. */
  private int takeQuiet() {
    int index = take();
    if (index < 0 || users.get(index) == 0) {
      return index;
    }
    int other = takeQuiet();
    give(index);
    return other;
  }

  private int take() {
    while (true) {
      long top = free.get();
      int index = (int) top - 1;
      if (index < 0) {
        int fresh = used.get() < ENTRIES ? used.getAndIncrement() : ENTRIES;
        return fresh < ENTRIES ? fresh : -1;
      }
      if (free.compareAndSet(top, changed(top) | next.get(index))) {
        return index;
      }
    }
  }

  private void give(int index) {
    long top;
    do {
      top = free.get();
      next.set(index, (int) top);
    } while (!free.compareAndSet(top, changed(top) | (index + 1)));
  }

  private static long changed(long top) {
    return ((top >>> 32) + 1) << 32;
  }

  /** As {@link NetContext#deregister}. */
  boolean deregister(long key) {
    int index = KeySource.index(key);
    if (key == 0 || !valid.compareAndSet(index, key, 0)) {
      return false;
    }
    if (!given) {
      give(index);
    }
    return true;
  }

  /** As {@link NetContext#inUse}. */
  boolean inUse(long key) {
    int index = KeySource.index(key);
    return users.get(index) != 0 && last[index] == key;
  }

  /**
   * Begins an access.
   *
   * @return the memory, or null if it is refused; if not, {@link #release} has to follow
   */
  @Nullable MemorySegment hold(long key, long offset, long length, int wanted) {
    int index = KeySource.index(key);
    // Counted first: an entry that somebody is at is not used for something else.
    users.incrementAndGet(index);
    MemorySegment segment = segments[index];
    if (key != 0
        && valid.get(index) == key
        && segment != null
        && (rights[index] & wanted) == wanted
        && offset >= 0
        && length >= 0
        && offset <= lengths[index] - length
        && segment.scope().isAlive()) {
      return segment;
    }
    users.decrementAndGet(index);
    return null;
  }

  /** Ends an access. */
  void release(long key) {
    users.decrementAndGet(KeySource.index(key));
  }

  /** Where in its segment the memory of a key that is held starts. */
  long start(long key) {
    return offsets[KeySource.index(key)];
  }

  /**
   * Copies on behalf of a peer, between registered memory and a raw range.
   *
   * @param write whether registered memory is written, or read
   * @return {@link NetDevice#OK} or {@link NetDevice#NO_ACCESS}
   */
  int copy(boolean write, long key, long offset, long length, long raw) {
    MemorySegment segment = hold(key, offset, length, write ? NetContext.WRITE : NetContext.READ);
    if (segment == null) {
      return NetDevice.NO_ACCESS;
    }
    try {
      return LocalCopy.move(write, segment, start(key) + offset, raw, length);
    } finally {
      release(key);
    }
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
    MemorySegment segment = hold(key, offset, AtomicWord.bytes(operation), ALL_RIGHTS);
    if (segment == null) {
      return NetDevice.NO_ACCESS;
    }
    try {
      long place = start(key) + offset;
      // Native memory by address: a segment of a confined arena refuses every thread but its own.
      long found =
          segment.isNative()
              ? AtomicWord.apply(
                  operation, Memory.all(), segment.address() + place, operand, expected)
              : AtomicWord.apply(operation, segment, place, operand, expected);
      AtomicWord.store(operation, found, Memory.all(), raw);
      return NetDevice.OK;
    } catch (IllegalArgumentException e) {
      return NetDevice.NO_ACCESS; // not aligned
    } finally {
      release(key);
    }
  }
}
