package org.lacis.net.sim;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.lacis.net.AtomicWord;
import org.lacis.net.Memory;

/**
 * A range of user memory that the fabric reads or writes later and on any thread, also if a segment
 * over it is confined to one.
 */
final class SimRegion {

  private final MemorySegment owner;
  private final MemorySegment range;
  private final int rights;

  /**
   * Checks that the range is in the segment.
   *
   * @param writes whether it will be written
   */
  SimRegion(MemorySegment segment, long offset, long length, int rights, boolean writes) {
    Objects.checkFromIndexSize(offset, length, segment.byteSize());
    if (writes && segment.isReadOnly()) {
      throw new IllegalArgumentException("read-only memory cannot be written: " + segment);
    }
    this.owner = segment;
    this.range =
        segment.isNative()
            ? Memory.segment(segment.address() + offset, length)
            : segment.asSlice(offset, length);
    this.rights = rights;
  }

  long length() {
    return range.byteSize();
  }

  /** Whether a peer may do this with that part of it. */
  boolean allows(int right, long offset, long length) {
    return (rights & right) == right && offset >= 0 && length >= 0 && offset <= length() - length;
  }

  /**
   * Copies into {@code target}. False if the memory of either is freed: its owner did not wait for
   * the end of the transfer.
   */
  boolean copyTo(long offset, SimRegion target, long targetOffset, long length) {
    if (!owner.scope().isAlive() || !target.owner.scope().isAlive()) {
      return false;
    }
    MemorySegment.copy(range, offset, target.range, targetOffset, length);
    return true;
  }

  /**
   * Changes a word, and puts what was there into {@code found}. False if the memory is freed, or
   * the word is not aligned.
   */
  boolean change(SimTransfer.Change change, long offset, SimRegion found) {
    if (!owner.scope().isAlive() || !found.owner.scope().isAlive()) {
      return false;
    }
    try {
      long was =
          AtomicWord.apply(change.operation(), range, offset, change.operand(), change.expected());
      AtomicWord.store(change.operation(), was, found.range, 0);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Memory of the fabric's own, for what is between two ranks. */
  static SimRegion ofBytes(byte[] bytes) {
    return new SimRegion(MemorySegment.ofArray(bytes), 0, bytes.length, 0, true);
  }
}
