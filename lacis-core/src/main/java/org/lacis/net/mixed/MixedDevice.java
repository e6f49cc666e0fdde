package org.lacis.net.mixed;

import java.lang.foreign.MemorySegment;
import org.lacis.net.NetDevice;
import org.lacis.net.NetPieces;
import org.lacis.net.NetSink;

/** A device in each of the two networks. */
final class MixedDevice implements NetDevice {

  private final Hosts hosts;
  private final NetDevice near;
  private final NetDevice far;
  private final FarPackets packets;
  private final NearSink nearSink;
  private final FarSink farSink;

  MixedDevice(Hosts hosts, NetDevice near, NetDevice far, FarPackets packets) {
    this.hosts = hosts;
    this.near = near;
    this.far = far;
    this.packets = packets;
    this.nearSink = new NearSink(hosts);
    this.farSink = new FarSink(hosts);
  }

  @Override
  public int inject(int peer, long h0, long h1, MemorySegment payload, long offset, int length) {
    int number = hosts.near(peer);
    return number >= 0
        ? near.inject(number, h0, h1, payload, offset, length)
        : far.inject(peer, h0, h1, payload, offset, length);
  }

  @Override
  public int mark(int peer, long h0, long h1) {
    int number = hosts.near(peer);
    return number >= 0 ? near.mark(number, h0, h1) : far.mark(peer, h0, h1);
  }

  @Override
  public int sendPacket(int peer, long h0, long h1, long address, int length) {
    int number = hosts.near(peer);
    return number >= 0
        ? near.sendPacket(number, h0, h1, address, length)
        : packets.send(far, peer, h0, h1, address, length);
  }

  @Override
  public int copyLimit(int peer) {
    int number = hosts.near(peer);
    return number >= 0 ? near.copyLimit(number) : far.copyLimit(peer);
  }

  @Override
  public int sendCopy(int peer, long h0, long h1, MemorySegment payload, long offset, int length) {
    int number = hosts.near(peer);
    return number >= 0
        ? near.sendCopy(number, h0, h1, payload, offset, length)
        : far.sendCopy(peer, h0, h1, payload, offset, length);
  }

  @Override
  public boolean notifiesAlong(int peer, long length) {
    int number = hosts.near(peer);
    return number >= 0 ? near.notifiesAlong(number, length) : far.notifiesAlong(peer, length);
  }

  @Override
  public int move(
      boolean put,
      int peer,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset) {
    int number = hosts.near(peer);
    return number >= 0
        ? near.move(put, number, local, offset, length, key, keyOffset)
        : far.move(put, peer, local, offset, length, key, keyOffset);
  }

  @Override
  public int put(
      int peer,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie) {
    int number = hosts.near(peer);
    return number >= 0
        ? near.put(number, local, offset, length, key, keyOffset, h0, h1, cookie)
        : far.put(peer, local, offset, length, key, keyOffset, h0, h1, cookie);
  }

  @Override
  public int get(
      int peer,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie) {
    int number = hosts.near(peer);
    return number >= 0
        ? near.get(number, local, offset, length, key, keyOffset, h0, h1, cookie)
        : far.get(peer, local, offset, length, key, keyOffset, h0, h1, cookie);
  }

  @Override
  public int transfer(boolean put, int peer, NetPieces pieces, long cookie) {
    int number = hosts.near(peer);
    return number >= 0
        ? near.transfer(put, number, pieces, cookie)
        : far.transfer(put, peer, pieces, cookie);
  }

  @Override
  public int atomic(
      int peer,
      int operation,
      long operand,
      long expected,
      MemorySegment local,
      long offset,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie) {
    int number = hosts.near(peer);
    return number >= 0
        ? near.atomic(
            number, operation, operand, expected, local, offset, key, keyOffset, h0, h1, cookie)
        : far.atomic(
            peer, operation, operand, expected, local, offset, key, keyOffset, h0, h1, cookie);
  }

  @Override
  public int poll(NetSink sink, int limit) {
    nearSink.sink = sink;
    farSink.sink = sink;
    return near.poll(nearSink, limit) + far.poll(farSink, limit);
  }

  @Override
  public void close() {
    try {
      near.close();
    } finally {
      far.close();
    }
  }
}
