package org.lacis.net;

import java.lang.foreign.MemorySegment;

/**
 * Copies between a user's segment and raw memory, later than the call that named the segment and
 * perhaps on another thread. The range has been checked by then.
 */
public final class LocalCopy {

  private LocalCopy() {}

  /**
   * Copies one way or the other.
   *
   * @param write whether the segment is written, or read
   * @return {@link NetDevice#OK}, or {@link NetDevice#NO_ACCESS} if its memory is gone: its arena
   *     is closed
   */
  public static int move(boolean write, MemorySegment segment, long offset, long raw, long length) {
    if (!segment.isNative()) {
      if (write) {
        Memory.copyOut(raw, segment, offset, length);
      } else {
        Memory.copyIn(segment, offset, raw, length);
      }
      return NetDevice.OK;
    }
    if (!segment.scope().isAlive()) {
      return NetDevice.NO_ACCESS;
    }
    // By address: a segment of a confined arena refuses every thread but its own.
    long address = segment.address() + offset;
    try {
      if (write || Memory.isMapped(segment)) {
        Memory.copy(write ? raw : address, write ? address : raw, length);
      } else {
        Memory.copyAway(address, raw, length);
      }
      return NetDevice.OK;
    } catch (InternalError e) {
      return NetDevice.NO_ACCESS; // a mapped file that has become shorter
    }
  }
}
