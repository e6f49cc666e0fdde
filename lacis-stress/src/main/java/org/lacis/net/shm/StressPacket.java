package org.lacis.net.shm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;

/** A packet that is out, in memory of its own, and counts how often it came back. */
final class StressPacket {

  private static final int POSITION = 3;

  private final MemorySegment memory =
      Arena.ofAuto().allocate(NetContext.PACKET_HEADER + 64, ShmLayout.APART);
  private final long payload = memory.address() + NetContext.PACKET_HEADER;
  private final long offset = payload - StressFile.PEER.address;

  StressPacket() {
    PacketReturns.markSent(payload, POSITION);
  }

  /** Gives it back; 1 if it was out, or 0. */
  int giveBack() {
    boolean was = StressFile.RETURNS.giveBack(0, 0, offset, POSITION);
    Reference.reachabilityFence(memory);
    return was ? 1 : 0;
  }

  /** Sends it; a code of the network. */
  int send(RingProducer ring) {
    int answer = ring.packet(1, 2, payload, offset, 8);
    Reference.reachabilityFence(memory);
    return answer;
  }

  /** How often it came back. */
  int returned() {
    StressFile.reclaimAll();
    int count = (int) Memory.getLong(payload);
    Reference.reachabilityFence(memory);
    return count;
  }
}
