package org.lacis.net.shm;

import org.lacis.net.Memory;
import org.lacis.net.NetContext;

/** Does its part of the copies that peers have asked for, while this rank polls. */
final class JointHelper {

  private final ShmPeer self;
  private final VmDesks desks;

  JointHelper(ShmPeer self, VmDesks desks) {
    this.self = self;
    this.desks = desks;
  }

  /**
   * Helps with a copy, if it is not over already and this rank can.
   *
   * @param peer who asks
   * @param cell its request
   */
  void help(ShmPeer peer, long cell) {
    long key = Memory.getLong(cell + ShmLayout.CELL_H0);
    long offset = Memory.getLong(cell + ShmLayout.CELL_H1);
    long word = Memory.getLong(cell + ShmLayout.CELL_OPERATION);
    long there = Memory.getLong(cell + ShmLayout.CELL_OPERAND);
    long length = Memory.getLong(cell + ShmLayout.CELL_EXPECTED);
    long slot = peer.address + Memory.getLong(cell + ShmLayout.CELL_SLOT);
    boolean put = (word & ShmLayout.JOINT_PUT) != 0;
    VmDesk desk = peer.vm ? desks.take() : null;
    if (desk == null) {
      return;
    }
    try {
      long grant =
          Grant.hold(self.table, key, offset, length, put ? NetContext.WRITE : NetContext.READ);
      if (grant != Grant.REFUSED) {
        try {
          long place = Grant.place(grant);
          long here = Grant.kind(grant) == Grant.SHARED ? self.address + place : place;
          JointCopy.work(true, slot, (int) word, desk, !put, peer.pid, here, there, length);
        } finally {
          Grant.release(self.table, key);
        }
      }
    } finally {
      desk.leave();
    }
  }
}
