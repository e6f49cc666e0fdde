package org.lacis.net.shm;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetMapping;

/** Registered memory in the file of a rank. */
final class ShmMapping implements NetMapping {

  private final long table;
  private final long key;
  private final long offset;
  private final long length;
  private final int rights;
  private final MemorySegment segment;

  private ShmMapping(
      long table, long key, long offset, long length, int rights, MemorySegment segment) {
    this.table = table;
    this.key = key;
    this.offset = offset;
    this.length = length;
    this.rights = rights;
    this.segment = segment;
  }

  /** What a key allows; null if it is not in the file of its owner, or is not valid. */
  static @Nullable ShmMapping of(ShmPeer owner, long key, long offset, long length, int rights) {
    long grant = Grant.ask(owner.table, key, offset, length, rights);
    if (grant == Grant.REFUSED || Grant.kind(grant) != Grant.SHARED) {
      return null;
    }
    return new ShmMapping(
        owner.table, key, offset, length, rights, owner.view(Grant.place(grant), length));
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public boolean hold() {
    return Grant.hold(table, key, offset, length, rights) != Grant.REFUSED;
  }

  @Override
  public void release() {
    Grant.release(table, key);
  }
}
