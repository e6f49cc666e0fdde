package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.Post;
import org.lacis.RemoteRegion;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;
import org.lacis.net.NetPieces;

/**
 * Puts and gets of lists, and those with immediate data: {@linkplain Pieces in pieces}, with the
 * signal as a message of its own behind them.
 */
final class ListTransfers {

  private final EngineDevice device;
  private final Pool pool;
  private final NetDevice net;
  private final OperationTable table;
  private final Answers answers;
  private final Transfers transfers;

  ListTransfers(
      EngineDevice device,
      Pool pool,
      NetDevice net,
      OperationTable table,
      Answers answers,
      Transfers transfers) {
    this.device = device;
    this.pool = pool;
    this.net = net;
    this.table = table;
    this.answers = answers;
    this.transfers = transfers;
  }

  /**
   * Puts, or gets, in pieces, and then sends the signal, with immediate data.
   *
   * @param remote where the local buffer, or the parts of the list, lie one behind the other
   * @param places where each part of the list lies; null if {@code remote} says it
   * @param local the buffer, if {@code list} is null
   */
  Post transfer(
      boolean input,
      RemoteRegion remote,
      long remoteOffset,
      @Nullable List<RemoteRegion> places,
      long signal,
      long immediate,
      @Nullable BufferList list,
      @Nullable MemorySegment local,
      long offset,
      long length,
      Completion done,
      @Nullable Object user,
      int flags) {
    device.requireOpen();
    if (places == null) {
      transfers.checkPlace(remote, remoteOffset, length);
      Transfers.checkRights(input, remote);
    } else {
      checkPlaces(input, places, Objects.requireNonNull(list));
    }
    if (list != null) {
      Buffers.checkList(list, input, false);
      if (list.piggyback() != null) {
        device.listSends.checkRoom(list, pool);
      }
    } else if (input) {
      Buffers.checkWritable(Objects.requireNonNull(local), offset, length);
    } else {
      Buffers.checkReadable(Objects.requireNonNull(local), offset, length);
    }
    Operation op = table.take();
    op.rank = remote.rank();
    op.h0 = signal;
    op.immediate = immediate;
    op.list = list;
    op.buffer = local;
    op.offset = offset;
    op.length = length;
    op.done = done;
    op.context = user;
    op.input = input;
    op.remoteKey = remote.key();
    op.remoteOffset = remote.offset() + remoteOffset;
    op.places = places;
    cut(op, Pieces.prepare(op));
    op.state = Operation.State.TRANSFER;
    Post answer = begin(op, flags);
    if (!answer.isRetry()) {
      (input ? device.watch.got : device.watch.put).add(length);
    }
    if (device.watch.posts()) {
      device.watch.posted(
          input ? Watch.Kind.GET : Watch.Kind.PUT, remote.rank(), signal, length, answer);
    }
    return answer;
  }

  private Post begin(Operation op, int flags) {
    long use = op.wireId();
    int answer = pack(op) ? device.pieces.issue(op) : Outgoing.NO_PACKET;
    if (answer == NetDevice.OK) {
      device.letGo(op, use);
      return Post.POSTED;
    }
    // What has begun goes on: after a retry nothing may have happened.
    if (Objects.requireNonNull(op.pieces).next() > 0) {
      return answers.backlogged(op);
    }
    unpack(op);
    return answers.conclude(op, use, answer, flags);
  }

  /**
   * Copies a piggyback, if there is one, into the packet that the signal will be. Before anything
   * else, so that it is free when the post is answered.
   *
   * @return false if there is no packet now
   */
  private boolean pack(Operation op) {
    BufferList list = op.list;
    if (list == null || list.piggyback() == null || op.packet != 0) {
      return true;
    }
    long packet = pool.take();
    if (packet == 0) {
      return false;
    }
    op.packet = packet;
    op.pool = pool;
    ListFrame.writeHead(packet, list, null, op.immediate);
    return true;
  }

  private void unpack(Operation op) {
    if (op.packet != 0) {
      pool.give(op.packet);
      op.packet = 0;
    }
  }

  private void checkPlaces(boolean input, List<RemoteRegion> places, BufferList list) {
    for (int i = 0; i < places.size(); i++) {
      try {
        transfers.checkPlace(places.get(i), 0, list.part(i).byteSize());
        Transfers.checkRights(input, places.get(i));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("place " + i + ": " + e.getMessage(), e);
      } catch (IndexOutOfBoundsException e) {
        throw new IndexOutOfBoundsException("place " + i + ": " + e.getMessage());
      }
    }
  }

  /** The buffer, or the parts of the list, and where each is put to or got from. */
  private static void cut(Operation op, NetPieces pieces) {
    BufferList list = op.list;
    if (list == null) {
      MemorySegment buffer = Objects.requireNonNull(op.buffer);
      MemorySegment local = Buffers.shareable(buffer);
      long offset = Buffers.offset(local, buffer, op.offset);
      pieces.add(local, offset, op.length, op.remoteKey, op.remoteOffset);
      return;
    }
    List<RemoteRegion> places = op.places;
    long behind = op.remoteOffset;
    for (int i = 0; i < list.count(); i++) {
      MemorySegment part = list.part(i);
      MemorySegment local = Buffers.shareable(part);
      pieces.add(
          local,
          Buffers.offset(local, part, 0),
          part.byteSize(),
          places == null ? op.remoteKey : places.get(i).key(),
          places == null ? behind : places.get(i).offset());
      behind += part.byteSize();
    }
  }

  /** All pieces have been moved, or one has failed. */
  void ended(Operation op, int result) {
    if (result != NetDevice.OK || Frame.signal(op.h0) == 0) {
      answers.settle(op, result);
      return;
    }
    op.state = Operation.State.NOTIFY;
    if (!notify(op)) {
      device.keep(op);
    }
  }

  /** Sends the signal of a transfer whose data is there; false if it must be tried again. */
  boolean notify(Operation op) {
    if (op.packet != 0) {
      int bytes = ListFrame.headBytes(op.packet);
      return answers.settle(
          op, net.sendPacket(op.rank, op.h0 | Frame.LIST, op.length, op.packet, bytes));
    }
    Memory.putLong(op.inlineAddress, op.immediate);
    return answers.settle(
        op, net.inject(op.rank, op.h0, op.length, op.inline, 0, Frame.IMMEDIATE_BYTES));
  }

  /** Goes on with a transfer of the backlog; false if it must stay there. */
  boolean resume(Operation op) {
    if (!pack(op)) {
      return false;
    }
    op.state = Operation.State.TRANSFER;
    boolean all = device.pieces.issue(op) == NetDevice.OK;
    if (!all) {
      op.state = Operation.State.BACKLOG;
    }
    return all;
  }
}
