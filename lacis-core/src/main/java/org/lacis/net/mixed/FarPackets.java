package org.lacis.net.mixed;

import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.PacketStack;
import org.lacis.net.TryLock;

/**
 * Packets for ranks elsewhere. Those of the runtime lie in memory of the network within the host,
 * which the other one may not be able to send from: their content is copied into packets of its
 * own, of which there are as many as are under way at most. Any number of threads.
 *
 * <pre>
 *  a packet of the other network:  64 bytes, the first its size class │ header │ payload
 * </pre>
 */
final class FarPackets {

  private static final int PREFIX = 64;
  private static final int OVERHEAD = PREFIX + NetContext.PACKET_HEADER;
  private static final int LEAST = 10;
  private static final int CLASSES = Integer.SIZE;

  private final NetContext far;
  private final TryLock lock = new TryLock();

  /** By size class. Under the lock. */
  private final long[] spare = new long[CLASSES];

  /** By size class: those that came back. */
  private final PacketStack[] back = new PacketStack[CLASSES];

  /** Packets of the runtime whose content is on its way. */
  private final PacketStack copied = new PacketStack();

  private final NetContext.PacketTaker taker = this::giveBack;

  FarPackets(NetContext far) {
    this.far = far;
    for (int i = 0; i < CLASSES; i++) {
      back[i] = new PacketStack();
    }
  }

  /** As {@link NetDevice#sendPacket}, on a device of the other network. */
  int send(NetDevice device, int peer, long h0, long h1, long address, int length) {
    if (!lock.tryLock()) {
      return NetDevice.BUSY;
    }
    long packet;
    try {
      packet = take(Math.max(LEAST, Integer.SIZE - Integer.numberOfLeadingZeros(length)));
    } finally {
      lock.unlock();
    }
    if (packet == 0) {
      return NetDevice.FULL;
    }
    Memory.copy(address, packet, length);
    int answer = device.sendPacket(peer, h0, h1, packet, length);
    if (answer == NetDevice.OK) {
      copied.give(address);
    } else {
      giveBack(packet);
    }
    return answer;
  }

  private long take(int size) {
    long packet = spare[size];
    if (packet == 0) {
      far.reclaim(taker);
      packet = back[size].takeAll();
    }
    if (packet == 0) {
      return fresh(size);
    }
    spare[size] = PacketStack.next(packet);
    return packet;
  }

  private long fresh(int size) {
    long block = far.allocate(OVERHEAD + (1L << size), PREFIX);
    if (block == 0) {
      return 0;
    }
    Memory.putLong(block, size);
    return block + OVERHEAD;
  }

  private void giveBack(long packet) {
    back[(int) Memory.getLong(packet - OVERHEAD)].give(packet);
  }

  /** As {@link NetContext#reclaim}. */
  int reclaim(NetContext.PacketTaker user) {
    return copied.reclaim(user);
  }
}
