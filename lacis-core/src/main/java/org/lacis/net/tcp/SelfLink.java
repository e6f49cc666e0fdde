package org.lacis.net.tcp;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.net.AtomicWord;
import org.lacis.net.KeyTable;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;
import org.lacis.net.PacketStack;
import org.lacis.net.TryLock;

/** From a rank to itself: no socket, the same rules. Packets are lent in place. */
final class SelfLink implements Link {

  private final int rank;
  private final KeyTable keys;
  private final PacketStack packets;
  private final TryLock lock = new TryLock();
  private final Arrivals arrivals;

  SelfLink(TcpContext context) {
    this.rank = context.rank();
    this.keys = context.keys();
    this.packets = context.packets();
    this.arrivals = new Arrivals(context.memory(), context.window());
  }

  @Override
  public int inject(long h0, long h1, MemorySegment payload, long offset, int length) {
    if (!lock.tryLock()) {
      return NetDevice.BUSY;
    }
    try {
      if (arrivals.isFull()) {
        return NetDevice.FULL;
      }
      arrivals.add(h0, h1, payload, offset, length);
      return NetDevice.OK;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int mark(long h0, long h1) {
    return inject(h0, h1, MemorySegment.NULL, 0, 0);
  }

  @Override
  public int packet(long h0, long h1, long address, int length) {
    if (!lock.tryLock()) {
      return NetDevice.BUSY;
    }
    try {
      if (arrivals.isFull()) {
        return NetDevice.FULL;
      }
      Leases.markOwn(address);
      arrivals.add(h0, h1, address, length, address);
      return NetDevice.OK;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int transfer(
      int kind,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      int operation,
      long operand,
      long expected,
      long h0,
      long h1,
      long cookie) {
    if (!lock.tryLock()) {
      return NetDevice.BUSY;
    }
    try {
      if (h0 != 0 && arrivals.isFull()) {
        return NetDevice.FULL;
      }
      int result =
          kind == Frames.ATOMIC
              ? change(local, offset, key, keyOffset, operation, operand, expected)
              : copy(kind == Frames.PUT, local, offset, length, key, keyOffset);
      if (h0 != 0 && result == NetDevice.OK) {
        arrivals.add(h0, h1, MemorySegment.NULL, 0, 0);
      }
      return result;
    } finally {
      lock.unlock();
    }
  }

  private int copy(
      boolean put, MemorySegment local, long offset, long length, long key, long keyOffset) {
    KeyTable.@Nullable Entry entry =
        keys.hold(key, keyOffset, length, put ? NetContext.WRITE : NetContext.READ);
    if (entry == null) {
      return NetDevice.NO_ACCESS;
    }
    try {
      MemorySegment far = entry.segment();
      // Native memory by address: a segment of a confined arena refuses every thread but its own.
      MemorySegment farMemory = far.isNative() ? Memory.all() : far;
      long at = entry.at(keyOffset) + (far.isNative() ? far.address() : 0);
      if (put) {
        MemorySegment.copy(local, offset, farMemory, at, length);
      } else {
        MemorySegment.copy(farMemory, at, local, offset, length);
      }
      return NetDevice.OK;
    } finally {
      entry.release();
    }
  }

  private int change(
      MemorySegment local,
      long offset,
      long key,
      long keyOffset,
      int operation,
      long operand,
      long expected) {
    KeyTable.@Nullable Entry entry = keys.holdWord(operation, key, keyOffset);
    if (entry == null) {
      return NetDevice.NO_ACCESS;
    }
    try {
      long found = KeyTable.change(entry, keyOffset, operation, operand, expected);
      AtomicWord.store(operation, found, local, offset);
      return NetDevice.OK;
    } catch (IllegalArgumentException e) {
      return NetDevice.NO_ACCESS; // not aligned
    } finally {
      entry.release();
    }
  }

  @Override
  public int poll(NetSink sink, int limit) {
    return arrivals.deliver(sink, rank, limit);
  }

  @Override
  public boolean flush() {
    return false;
  }

  @Override
  public void close() {
    lock.close();
    arrivals.close(packets::give);
  }
}
