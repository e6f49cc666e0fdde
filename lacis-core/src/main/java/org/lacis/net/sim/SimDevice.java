package org.lacis.net.sim;

import java.lang.foreign.MemorySegment;
import java.util.function.IntSupplier;
import org.lacis.net.AtomicWord;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;

/** A device of one rank of a {@link SimFabric}. */
final class SimDevice implements NetDevice {

  /**
   * What the header of a packet is filled with while the network has it: no one else may count on
   * it.
   */
  private static final byte SCRIBBLE = (byte) 0xEE;

  private final SimFabric fabric;
  private final SimContext context;
  private final SimPort port;
  private final SimDelivery delivery;

  SimDevice(SimFabric fabric, SimContext context, SimPort port) {
    this.fabric = fabric;
    this.context = context;
    this.port = port;
    this.delivery = new SimDelivery(fabric, context, port);
    port.open();
  }

  @Override
  public int inject(int peer, long h0, long h1, MemorySegment payload, long offset, int length) {
    if (length > context.injectLimit()) {
      throw new IllegalArgumentException(
          "cannot inject " + length + " bytes: the limit is " + context.injectLimit());
    }
    requireHeader(h0);
    // Copied before the lock is taken: the caller's thread may be the only one that can reach the
    // segment.
    MemorySegment data = MemorySegment.ofArray(new byte[length]);
    MemorySegment.copy(payload, offset, data, 0, length);
    return post(
        peer, 1, () -> send(peer, new SimMail.Message(linkTo(peer), h0, h1, data, null), length));
  }

  @Override
  public int mark(int peer, long h0, long h1) {
    requireHeader(h0);
    return post(
        peer,
        1,
        () -> {
          var message = new SimMail.Message(linkTo(peer), h0, h1, SimMail.NONE, null);
          message.link().cells++;
          fabric.wire.flyLast(
              port,
              fabric.port(peer, port.index),
              fabric.charge(port.rank),
              () -> arrive(peer, message));
          return OK;
        });
  }

  @Override
  public int sendPacket(int peer, long h0, long h1, long address, int length) {
    requireHeader(h0);
    return post(
        peer,
        1,
        () -> {
          SimPacket packet = context.packet(address, length);
          Memory.segment(address - NetContext.PACKET_HEADER, NetContext.PACKET_HEADER)
              .fill(SCRIBBLE);
          return send(
              peer, new SimMail.Message(linkTo(peer), h0, h1, SimMail.NONE, packet), length);
        });
  }

  private static void requireHeader(long h0) {
    if (h0 == 0) {
      throw new IllegalArgumentException("the first header word of a message must not be 0");
    }
  }

  private int send(int peer, SimMail.Message message, int length) {
    message.link().cells++;
    SimPort target = fabric.port(peer, port.index);
    fabric.wire.fly(port, target, fabric.charge(port.rank), length, () -> arrive(peer, message));
    return OK;
  }

  private void arrive(int peer, SimMail.Message message) {
    if (fabric.deaths.isGone(peer)) {
      message.drop();
    } else {
      fabric.port(peer, port.index).add(message);
    }
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
    requireLength(length);
    return post(
        peer,
        h0 == 0 ? 0 : 1,
        () ->
            start(
                new SimTransfer(
                    port, peer, true, null, local, offset, length, key, keyOffset, h0, h1,
                    cookie)));
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
    requireLength(length);
    return post(
        peer,
        h0 == 0 ? 0 : 1,
        () ->
            start(
                new SimTransfer(
                    port, peer, false, null, local, offset, length, key, keyOffset, h0, h1,
                    cookie)));
  }

  @Override
  public boolean notifiesAlong(int peer, long length) {
    return true;
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
    var change = new SimTransfer.Change(operation, operand, expected);
    int length = AtomicWord.bytes(operation);
    return post(
        peer,
        h0 == 0 ? 0 : 1,
        () ->
            start(
                new SimTransfer(
                    port, peer, false, change, local, offset, length, key, keyOffset, h0, h1,
                    cookie)));
  }

  private void requireLength(long length) {
    if (length > context.transferLimit()) {
      throw new IllegalArgumentException(
          "cannot move " + length + " bytes at once: the limit is " + context.transferLimit());
    }
  }

  private int start(SimTransfer transfer) {
    if (port.pending() >= fabric.options().pendingLimit()) {
      return NO_MEMORY;
    }
    if (fabric.chance(fabric.options().immediateProbability())) {
      return transfer.immediately(fabric.charge(port.rank));
    }
    transfer.start(fabric.charge(port.rank));
    return PENDING;
  }

  private SimLink linkTo(int peer) {
    return fabric.port(peer, port.index).link(port.rank);
  }

  /** Answers why not, or posts. */
  private int post(int peer, int cells, IntSupplier action) {
    fabric.checkRank(peer);
    return fabric.locked(
        () -> {
          if (port.isClosed()) {
            return BUSY;
          } else if (port.isGone(peer) || fabric.deaths.isGone(port.rank)) {
            return PEER_GONE;
          } else if (fabric.chance(fabric.options().busyProbability())) {
            return BUSY;
          } else if (fabric.chance(fabric.options().fullProbability())) {
            return FULL;
          } else if (linkTo(peer).cells + cells > context.ringCells()) {
            return FULL;
          }
          return action.getAsInt();
        });
  }

  @Override
  public int poll(NetSink sink, int limit) {
    return delivery.poll(sink, limit);
  }

  @Override
  public void close() {
    fabric.locked(
        () -> {
          port.close();
          return null;
        });
  }
}
