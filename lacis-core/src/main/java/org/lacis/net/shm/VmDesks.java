package org.lacis.net.shm;

import org.jspecify.annotations.Nullable;

/** A few {@link VmDesk desks}, for any number of threads: each takes one, or finds all in use. */
final class VmDesks {

  private static final int COUNT = 8;

  private final VmDesk[] desks = new VmDesk[COUNT];

  VmDesks() {
    for (int i = 0; i < COUNT; i++) {
      desks[i] = new VmDesk();
    }
  }

  /** A desk for this thread until it {@link VmDesk#leave leaves} it, or null. */
  @Nullable VmDesk take() {
    int first = (int) Thread.currentThread().threadId();
    for (int i = 0; i < COUNT; i++) {
      VmDesk desk = desks[(first + i) & (COUNT - 1)];
      if (desk.take()) {
        return desk;
      }
    }
    return null;
  }
}
