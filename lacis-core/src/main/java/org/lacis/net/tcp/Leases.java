package org.lacis.net.tcp;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.PacketStack;

/**
 * Where the payloads of packets from one peer lie until their leases end: blocks by powers of two.
 * The polling thread takes them; any thread releases them. A lease is the address of the payload.
 * How much there can be is up to the peer, which sends no more than it has been told is free.
 *
 * <pre>
 *  in front of a payload   0  size class, or {@link #OWN}   4  number of these leases
 *                          8  bytes charged                 16 link when free
 * </pre>
 */
final class Leases {

  /** In place of a size class: a packet that this rank has sent to itself. */
  static final int OWN = -1;

  /** What a payload costs beside its length. */
  static final int CHARGE = NetContext.PACKET_HEADER;

  private static final int CLASS = 0;
  private static final int NUMBER = 4;
  private static final int CHARGED = 8;
  private static final int LEAST = 7;
  private static final int CLASSES = 26;
  private static final long SLAB = 1 << 16;

  private final TcpMemory memory;
  private final int number;

  // The polling thread's: lists of free blocks, by class.
  private final long[] free = new long[CLASSES];
  private final PacketStack[] returns = new PacketStack[CLASSES];

  /** How many bytes were released, ever. */
  private final AtomicLong released = new AtomicLong();

  /** How many were taken, ever; and when the present user of these leases began. */
  private long taken;

  private long base;

  /**
   * Makes them.
   *
   * @param number by which they are found when a lease ends
   */
  Leases(TcpMemory memory, int number) {
    this.memory = memory;
    this.number = number;
    for (int c = 0; c < CLASSES; c++) {
      returns[c] = new PacketStack();
    }
  }

  /** Room for a payload; its address. */
  long take(int length) {
    int c = Math.max(LEAST, 32 - Integer.numberOfLeadingZeros(length + CHARGE - 1));
    long block = free[c];
    if (block == 0) {
      block = returns[c].takeAll();
      if (block == 0) {
        block = fresh(c);
      }
    }
    free[c] = PacketStack.next(block);
    Memory.putInt(block - CHARGE + CHARGED, length + CHARGE);
    taken += length + CHARGE;
    return block;
  }

  /** Cuts new memory into blocks; answers a list of them. */
  private long fresh(int c) {
    long size = 1L << c;
    long count = Math.max(1, SLAB / size);
    MemorySegment slab = memory.slab(count * size);
    long list = 0;
    for (long i = count - 1; i >= 0; i--) {
      long block = slab.address() + i * size + CHARGE;
      Memory.putInt(block - CHARGE + CLASS, c);
      Memory.putInt(block - CHARGE + NUMBER, number);
      PacketStack.link(block, list);
      list = block;
    }
    return list;
  }

  /** Whose a lease is: the number of its leases, or {@link #OWN}. */
  static int number(long lease) {
    return Memory.getInt(lease - CHARGE + CLASS) == OWN
        ? OWN
        : Memory.getInt(lease - CHARGE + NUMBER);
  }

  /** Marks a packet that this rank sends to itself. */
  static void markOwn(long packet) {
    Memory.putInt(packet - CHARGE + CLASS, OWN);
  }

  /** As {@link NetContext#release}. */
  void release(long lease) {
    int charged = Memory.getInt(lease - CHARGE + CHARGED);
    returns[Memory.getInt(lease - CHARGE + CLASS)].give(lease);
    released.getAndAdd(charged);
  }

  /** How many bytes were released since the beginning, each payload with {@link #CHARGE} more. */
  long released() {
    return released.get() - base;
  }

  /** Begins again with another connection, if no lease is out. */
  boolean renew() {
    base = taken;
    return released.get() == taken;
  }
}
