package org.lacis.net.shm;

import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;

/**
 * Finishes copies by the kernel that a peer was asked for and does not do, since it does not poll.
 * Under the lock of the {@link Pipeline}.
 */
final class TakeOver {

  private final ShmPeer[] peers;
  private final VmDesks desks;
  private final Slots slots;

  TakeOver(ShmPeer[] peers, VmDesks desks, Slots slots) {
    this.peers = peers;
    this.desks = desks;
    this.slots = slots;
  }

  /**
   * Does all of a transfer that the peer has not begun with.
   *
   * @return false if that is not possible now
   */
  boolean finish(Transfer transfer) {
    VmDesk desk = desks.take();
    if (desk == null) {
      return false;
    }
    try {
      for (int busy = slots.busy(); busy != 0; busy &= busy - 1) {
        int slot = Integer.numberOfTrailingZeros(busy);
        if (slots.isOf(slot, transfer) && slots.takeBack(slot)) {
          copy(transfer, desk, slots.place(slot), slots.length(slot));
        }
      }
      copy(transfer, desk, transfer.issued, transfer.length - transfer.issued);
      transfer.issued = transfer.length;
      return true;
    } finally {
      desk.leave();
    }
  }

  private void copy(Transfer transfer, VmDesk desk, long place, long length) {
    if (length > 0 && transfer.result == NetDevice.OK) {
      transfer.fail(result(transfer, desk, place, length));
    }
  }

  private int result(Transfer transfer, VmDesk desk, long place, long length) {
    if (transfer.local.isNative() && !transfer.local.scope().isAlive()) {
      return NetDevice.NO_ACCESS;
    }
    ShmPeer peer = peers[transfer.peer];
    int right = transfer.put ? NetContext.WRITE : NetContext.READ;
    long grant = Grant.hold(peer.table, transfer.key, transfer.keyOffset + place, length, right);
    if (grant == Grant.REFUSED) {
      return NetDevice.NO_ACCESS;
    }
    try {
      long offset = transfer.offset + place;
      int result = desk.move(transfer.put, peer, grant, transfer.local, offset, length);
      return result == NetDevice.NO_MEMORY ? NetDevice.NO_ACCESS : result;
    } finally {
      Grant.release(peer.table, transfer.key);
    }
  }
}
