package org.lacis.net;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What peers may reach of this rank's memory, by key, in networks where the rank whose memory it is
 * carries out what peers ask for: only it looks keys up. Thread-safe, lock-free; allocates only
 * when there are more registrations than ever before.
 */
public final class KeyTable {

  private static final int ALL_RIGHTS = NetContext.READ | NetContext.WRITE;
  private static final int CHUNK = 256;
  private static final int CHUNKS = (1 << 16) / CHUNK;

  /** A registration, or room for one. Its fields are stable while somebody holds it. */
  public static final class Entry {
    /** 0 if it is free. */
    private final AtomicLong key = new AtomicLong();

    /** How many are at its memory. */
    private final AtomicInteger users = new AtomicInteger();

    private final int index;
    private volatile int next;
    private long generation;
    private long last;
    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private long length;
    private int rights;

    private Entry(int index) {
      this.index = index;
    }

    /** The registered memory. */
    public MemorySegment segment() {
      return segment;
    }

    /** Where in its segment a place of the registered range is. */
    public long at(long place) {
      return offset + place;
    }

    /** Ends what {@link KeyTable#hold} began. */
    public void release() {
      users.decrementAndGet();
    }
  }

  private final KeySource source;
  private final AtomicReferenceArray<Entry[]> chunks = new AtomicReferenceArray<>(CHUNKS);

  /** Whether keys are given: then whoever gives them knows which entries are free. */
  private volatile boolean given;

  /** How many entries were ever used. */
  private final AtomicInteger used = new AtomicInteger();

  /** The first free one plus one, and in the upper half how often it changed, against ABA. */
  private final AtomicLong free = new AtomicLong();

  /** None so far. */
  public KeyTable(KeySource source) {
    this.source = source;
  }

  /** As {@link NetContext#register}. */
  public long register(MemorySegment segment, long offset, long length, int rights) {
    check(segment, offset, length, rights);
    Entry entry = take();
    if (entry == null) {
      return 0;
    }
    long key = source.key(entry.index, ++entry.generation);
    fill(entry, key, segment, offset, length, rights);
    return key;
  }

  /**
   * As {@link GivenKeys#register}. The entry is the one of the key's index: nobody else takes any.
   *
   * @return false if a peer is still at what the entry was used for before
   */
  public boolean register(long key, MemorySegment segment, long offset, long length, int rights) {
    check(segment, offset, length, rights);
    Entry entry = made(KeySource.index(key));
    if (key == 0 || entry.key.get() != 0 || entry.users.get() != 0) {
      return false;
    }
    given = true;
    fill(entry, key, segment, offset, length, rights);
    return true;
  }

  private static void check(MemorySegment segment, long offset, long length, int rights) {
    Objects.checkFromIndexSize(offset, length, segment.byteSize());
    if (rights <= 0 || rights > ALL_RIGHTS) {
      throw new IllegalArgumentException("rights are READ (1), WRITE (2) or both, not " + rights);
    }
    if (segment.isReadOnly() && (rights & NetContext.WRITE) != 0) {
      throw new IllegalArgumentException("a read-only segment cannot be registered for writing");
    }
  }

  private static void fill(
      Entry entry, long key, MemorySegment segment, long offset, long length, int rights) {
    entry.last = key;
    entry.segment = segment;
    entry.offset = offset;
    entry.length = length;
    entry.rights = rights;
    entry.key.set(key);
  }

  /** An entry that nobody is at any more. Others stay where they are. */
  private @Nullable Entry take() {
    Entry entry = pop();
    if (entry == null || entry.users.get() == 0) {
      return entry;
    }
    Entry other = take();
    push(entry);
    return other;
  }

  private @Nullable Entry pop() {
    while (true) {
      long top = free.get();
      int number = (int) top;
      if (number == 0) {
        return fresh();
      }
      Entry entry = Objects.requireNonNull(entry(number - 1));
      if (free.compareAndSet(top, changed(top) | entry.next)) {
        return entry;
      }
    }
  }

  private void push(Entry entry) {
    while (true) {
      long top = free.get();
      entry.next = (int) top;
      if (free.compareAndSet(top, changed(top) | (entry.index + 1))) {
        return;
      }
    }
  }

  private static long changed(long top) {
    return ((top >>> 32) + 1) << 32;
  }

  private @Nullable Entry fresh() {
    int index = used.get();
    while (index < CHUNK * CHUNKS) {
      if (used.compareAndSet(index, index + 1)) {
        return made(index);
      }
      index = used.get();
    }
    return null;
  }

  private Entry made(int index) {
    if (chunks.get(index / CHUNK) == null) {
      chunks.compareAndSet(index / CHUNK, null, chunk(index / CHUNK));
    }
    return chunks.get(index / CHUNK)[index % CHUNK];
  }

  private static Entry[] chunk(int number) {
    Entry[] chunk = new Entry[CHUNK];
    for (int i = 0; i < CHUNK; i++) {
      chunk[i] = new Entry(number * CHUNK + i);
    }
    return chunk;
  }

  private @Nullable Entry entry(int index) {
    Entry[] chunk = chunks.get(index / CHUNK);
    return chunk == null ? null : chunk[index % CHUNK];
  }

  /** As {@link NetContext#deregister}. */
  public boolean deregister(long key) {
    Entry entry = key == 0 ? null : entry(KeySource.index(key));
    // Of two threads that end the same registration, one succeeds.
    if (entry == null || !entry.key.compareAndSet(key, 0)) {
      return false;
    }
    if (!given) {
      push(entry);
    }
    return true;
  }

  /** As {@link NetContext#inUse}. */
  public boolean inUse(long key) {
    Entry entry = entry(KeySource.index(key));
    // An entry is not used again before it is quiet: then this key is not its last one.
    return entry != null && entry.users.get() != 0 && entry.last == key;
  }

  /**
   * Looks a key up and holds on to it: who ends the registration sees that it is in use until the
   * entry is released.
   *
   * @param right what is to be done
   * @return null if that is not allowed, or the memory is gone
   */
  public @Nullable Entry hold(long key, long offset, long length, int right) {
    Entry entry = key == 0 ? null : entry(KeySource.index(key));
    if (entry == null) {
      return null;
    }
    // First the count, then the key; whoever ends it, first the key, then the count. So of the two
    // at least one sees the other.
    entry.users.incrementAndGet();
    if (entry.key.get() == key
        && (entry.rights & right) == right
        && length >= 0
        && offset >= 0
        && offset <= entry.length - length
        && entry.segment.scope().isAlive()) {
      return entry;
    }
    entry.release();
    return null;
  }

  /**
   * Holds on to a word that may be changed; null if it may not.
   *
   * @param operation of {@link AtomicWord}; perhaps from another process
   */
  public @Nullable Entry holdWord(long operation, long key, long offset) {
    return operation == (int) operation && AtomicWord.isKnown((int) operation)
        ? hold(key, offset, AtomicWord.bytes((int) operation), ALL_RIGHTS)
        : null;
  }

  /**
   * Changes a word that is held.
   *
   * @return what was there before
   * @throws IllegalArgumentException if it is not aligned
   */
  public static long change(Entry entry, long place, int operation, long operand, long expected) {
    MemorySegment segment = entry.segment;
    // Native memory by address: a segment of a confined arena refuses every thread but its own.
    return segment.isNative()
        ? AtomicWord.apply(
            operation, Memory.all(), segment.address() + entry.at(place), operand, expected)
        : AtomicWord.apply(operation, segment, entry.at(place), operand, expected);
  }

  /**
   * Copies on behalf of a peer, between registered memory and a raw range.
   *
   * @param write whether registered memory is written, or read
   * @return {@link NetDevice#OK} or {@link NetDevice#NO_ACCESS}
   */
  public int copy(boolean write, long key, long offset, long length, long raw) {
    Entry entry = hold(key, offset, length, write ? NetContext.WRITE : NetContext.READ);
    if (entry == null) {
      return NetDevice.NO_ACCESS;
    }
    try {
      return LocalCopy.move(write, entry.segment, entry.at(offset), raw, length);
    } finally {
      entry.release();
    }
  }

  /**
   * Changes a word on behalf of a peer.
   *
   * @param operation of {@link AtomicWord}; perhaps from another process
   * @param raw gets what was there before
   * @return {@link NetDevice#OK} or {@link NetDevice#NO_ACCESS}
   */
  public int change(int operation, long operand, long expected, long key, long offset, long raw) {
    Entry entry = holdWord(operation, key, offset);
    if (entry == null) {
      return NetDevice.NO_ACCESS;
    }
    try {
      long found = change(entry, offset, operation, operand, expected);
      AtomicWord.store(operation, found, Memory.all(), raw);
      return NetDevice.OK;
    } catch (IllegalArgumentException e) {
      return NetDevice.NO_ACCESS; // not aligned
    } finally {
      entry.release();
    }
  }
}
