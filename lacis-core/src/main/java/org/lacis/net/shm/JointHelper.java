package org.lacis.net.shm;

import org.lacis.net.Memory;
import org.lacis.net.NetDevice;

/** Does its part of the copies that peers have asked for, while this rank polls. */
final class JointHelper {

  /** The most shares for one request: whoever has asked asks again. */
  private static final int SHARES = 4;

  private final JointRanges copier;
  private final VmDesks desks;

  JointHelper(JointRanges copier, VmDesks desks) {
    this.copier = copier;
    this.desks = desks;
  }

  /**
   * Whether a peer has given this rank up, and uses for something else what it has asked it to do
   * something with.
   */
  boolean isGivenUpBy(ShmPeer peer) {
    return copier.isGivenUpBy(peer);
  }

  /**
   * Helps with a copy, if it is not over already and this rank can.
   *
   * @param peer who asks
   * @param cell its request
   */
  void help(ShmPeer peer, long cell) {
    VmDesk desk = peer.vm ? desks.take() : null;
    if (desk != null) {
      try {
        help(peer, cell, desk);
      } finally {
        desk.leave();
      }
    }
  }

  private void help(ShmPeer peer, long cell, VmDesk desk) {
    int ranges = (int) Math.min(JointRanges.MAX, Memory.getLong(cell + ShmLayout.CELL_H0));
    long which = Memory.getLong(cell + ShmLayout.CELL_OPERATION);
    long length = Memory.getLong(cell + ShmLayout.CELL_EXPECTED);
    long slot = peer.address + Memory.getLong(cell + ShmLayout.CELL_SLOT);
    boolean put = (which & ShmLayout.JOINT_PUT) != 0;
    boolean slower = copier.isSlower(false, peer, slot);
    for (int i = 0; i < (slower ? 1 : SHARES); i++) {
      long share = JointCopy.take(true, slower, slot, (int) which, length);
      if (share == JointCopy.NONE) {
        return;
      }
      // From here until it is done the slot has the ranges of this copy, and no other's.
      int result =
          copier.copy(
              desk,
              put,
              peer,
              null,
              slot,
              ranges,
              JointCopy.offset(share, length),
              JointCopy.bytes(share, length));
      JointCopy.done(slot, share, result == NetDevice.PEER_GONE ? NetDevice.NO_ACCESS : result);
    }
  }
}
