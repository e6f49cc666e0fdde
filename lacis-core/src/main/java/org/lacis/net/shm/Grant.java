package org.lacis.net.shm;

import java.lang.invoke.VarHandle;
import org.lacis.net.KeySource;
import org.lacis.net.Memory;

/**
 * The answer to "may I?": what a key allows, looked up in the table of the rank that gave it. It is
 * one word, the kind of memory in the upper four bits and where it is in the rest, so that asking
 * allocates nothing.
 */
final class Grant {

  /** In the owner's shared file: the place is an offset in it. */
  static final int SHARED = 1;

  /** Other native memory: the place is an address in the owner's process. */
  static final int ADDRESS = 2;

  /**
   * A Java array, which only the owner reaches: the place is an offset in the registered segment.
   */
  static final int SERVED = 3;

  /** The key is not valid or does not allow this. */
  static final long REFUSED = 0;

  private static final int KIND_SHIFT = 60;

  private Grant() {}

  /**
   * Looks a key up, and holds on to what it allows: who ends the registration can see that it is in
   * use, until {@link #release}.
   *
   * @return as {@link #ask}; nothing is held if it is refused
   */
  static long hold(long table, long key, long offset, long length, int right) {
    long users = entry(table, key) + ShmLayout.ENTRY_USERS;
    // First the count, then the key; whoever ends it, first the key, then the count. So of the two
    // at least one sees the other.
    Memory.getAndAddLong(users, 1);
    long grant = ask(table, key, offset, length, right);
    if (grant == REFUSED) {
      Memory.getAndAddLong(users, -1);
    }
    return grant;
  }

  /** Ends what {@link #hold} began. */
  static void release(long table, long key) {
    Memory.getAndAddLong(entry(table, key) + ShmLayout.ENTRY_USERS, -1);
  }

  private static long entry(long table, long key) {
    return table + ((long) KeySource.index(key) << ShmLayout.ENTRY_SHIFT);
  }

  /**
   * Looks a key up.
   *
   * @param table the address of the owner's table
   * @param offset where in the registered range
   * @param length how many bytes
   * @param right what is to be done with them
   * @return the grant, or {@link #REFUSED}
   */
  static long ask(long table, long key, long offset, long length, int right) {
    long entry = entry(table, key);
    if (key == 0 || Memory.getLongVolatile(entry + ShmLayout.ENTRY_KEY) != key) {
      return REFUSED;
    }
    long base = Memory.getLong(entry + ShmLayout.ENTRY_BASE);
    long limit = Memory.getLong(entry + ShmLayout.ENTRY_LENGTH);
    int word = Memory.getInt(entry + ShmLayout.ENTRY_KIND);
    // The entry may have been reused while it was read. Keys never come again, so the same key
    // means the same entry.
    VarHandle.acquireFence();
    if (Memory.getLongAcquire(entry + ShmLayout.ENTRY_KEY) != key) {
      return REFUSED;
    }
    if (((word >>> 8) & right) != right || length < 0 || offset < 0 || offset > limit - length) {
      return REFUSED;
    }
    return ((long) (word & 0xff) << KIND_SHIFT) | (base + offset);
  }

  static int kind(long grant) {
    return (int) (grant >>> KIND_SHIFT);
  }

  static long place(long grant) {
    return grant & ((1L << KIND_SHIFT) - 1);
  }

  /** The kind and the rights as they stand in an entry. */
  static int word(int kind, int rights) {
    return kind | (rights << 8);
  }
}
