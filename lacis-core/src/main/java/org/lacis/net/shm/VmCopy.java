package org.lacis.net.shm;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.lacis.net.NetDevice;

/**
 * One copy, by the kernel, between memory of this process and memory of another. Any number of
 * threads: each takes one of a few desks, or is told that all are busy.
 */
final class VmCopy {

  private static final int DESKS = 8;
  private static final int STRIDE = ShmLayout.APART / Integer.BYTES;

  private final VmDesk[] desks = new VmDesk[DESKS];
  private final AtomicIntegerArray taken = new AtomicIntegerArray((DESKS + 1) * STRIDE);

  VmCopy() {
    for (int i = 0; i < DESKS; i++) {
      desks[i] = new VmDesk();
    }
  }

  /** As {@link VmDesk#move}, or {@link NetDevice#BUSY}. */
  int move(boolean write, int pid, long remote, MemorySegment local, long offset, long length) {
    if (local.isNative() && !local.scope().isAlive()) {
      throw new IllegalStateException("the arena of the local segment is closed");
    }
    int first = (int) Thread.currentThread().threadId();
    for (int i = 0; i < DESKS; i++) {
      int desk = (first + i) & (DESKS - 1);
      if (taken.compareAndSet((desk + 1) * STRIDE, 0, 1)) {
        try {
          return desks[desk].move(write, pid, remote, local, offset, length);
        } finally {
          taken.setRelease((desk + 1) * STRIDE, 0);
        }
      }
    }
    return NetDevice.BUSY;
  }
}
