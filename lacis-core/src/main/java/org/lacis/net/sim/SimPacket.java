package org.lacis.net.sim;

/** A packet that the network has, until it is in its owner's hands again. */
final class SimPacket {

  private final SimContext owner;
  private final SimMemory.Block block;
  private final long address;
  private final int length;
  private boolean back;

  SimPacket(SimContext owner, SimMemory.Block block, long address, int length) {
    this.owner = owner;
    this.block = block;
    this.address = address;
    this.length = length;
    block.packets++;
  }

  long address() {
    return address;
  }

  int length() {
    return length;
  }

  int ownerRank() {
    return owner.rank();
  }

  /**
   * Hands it back to its owner. A second call, when both a release and the end of its receiver
   * would do so, does nothing.
   */
  void giveBack() {
    if (!back) {
      back = true;
      owner.packetBack(this, block);
    }
  }
}
