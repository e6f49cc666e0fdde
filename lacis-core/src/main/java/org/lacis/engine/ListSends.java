package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.Post;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;

/**
 * Sends of lists. A list that fits into a packet is gathered there; of a longer one the packet has
 * the keys of its parts, which the receiver pulls.
 */
final class ListSends {

  private final EngineDevice device;
  private final NetContext context;
  private final NetDevice net;
  private final OperationTable table;
  private final Answers answers;
  private final Watch watch;

  ListSends(
      EngineDevice device, Engine engine, NetDevice net, OperationTable table, Answers answers) {
    this.device = device;
    this.context = engine.context();
    this.net = net;
    this.table = table;
    this.answers = answers;
    this.watch = device.watch;
  }

  /** Sends, or sends an active message: the frame says which. */
  Post send(
      int rank,
      long h0,
      BufferList list,
      Pool pool,
      Completion done,
      @Nullable Object user,
      long immediate,
      boolean synchronous,
      int flags) {
    Objects.requireNonNull(done, DevicePoster.NO_COMPLETION);
    device.checks.peer(rank);
    Buffers.checkList(list, false);
    device.requireOpen();
    checkRoom(list, pool);
    Operation op = table.take();
    op.rank = rank;
    op.h0 = h0 | Frame.LIST;
    op.list = list;
    op.offset = 0;
    op.length = list.length();
    op.done = done;
    op.context = user;
    op.remoteKey = 0;
    op.pool = pool;
    op.immediate = immediate;
    op.synchronous = synchronous;
    if (watch.posts()) {
      watch.protocol(rank, list.length(), isEager(op, list, pool) ? "buffer-copy" : "zero-copy");
    }
    Post answer = answers.conclude(op, op.wireId(), submit(op, list), flags);
    if (watch.posts()) {
      watch.posted(Outgoing.kind(h0), rank, h0, list.length(), answer);
    }
    return answer;
  }

  /** Tries a send of the backlog again; false if it must stay there. */
  boolean resume(Operation op) {
    int answer = submit(op, Objects.requireNonNull(op.list));
    if (answer < 0) {
      op.state = Operation.State.BACKLOG;
    }
    return answers.settle(op, answer);
  }

  private int submit(Operation op, BufferList list) {
    Pool pool = Objects.requireNonNull(op.pool);
    long packet = pool.take();
    if (packet == 0) {
      return Outgoing.NO_PACKET;
    }
    int answer = NetDevice.BUSY;
    try {
      int head = ListFrame.headBytes(list);
      answer =
          isEager(op, list, pool) ? eager(op, list, packet, head) : request(op, list, packet, head);
    } finally {
      if (answer < 0) {
        pool.give(packet);
      }
    }
    return answer;
  }

  private static boolean isEager(Operation op, BufferList list, Pool pool) {
    return !op.synchronous && op.length <= pool.packetBytes() - ListFrame.headBytes(list);
  }

  private int eager(Operation op, BufferList list, long packet, int head) {
    ListFrame.writeHead(packet, list, null, 0);
    ListFrame.writeData(packet + head, list);
    int answer = net.sendPacket(op.rank, op.h0, op.immediate, packet, head + (int) op.length);
    if (answer == NetDevice.OK) {
      watch.copied.add(op.length);
    }
    return answer;
  }

  private int request(Operation op, BufferList list, long packet, int head) {
    long[] keys = register(op, list);
    if (keys == null) {
      return NetDevice.NO_MEMORY;
    }
    ListFrame.writeHead(packet, list, keys, op.immediate);
    // Set before the call: the answer may come before the call returns.
    op.state = Operation.State.SEND;
    long use = op.wireId();
    Pool pool = Objects.requireNonNull(op.pool);
    int answer = net.sendPacket(op.rank, op.h0 + Requests.TO_RTS, use, packet, head);
    if (answer == NetDevice.OK) {
      watch.zeroCopied.add(list.length());
      return NetDevice.PENDING;
    }
    // If the peer has gone meanwhile, its completion object may have been told so already.
    if (!table.claim(op, use)) {
      pool.give(packet);
      return NetDevice.PENDING;
    }
    device.requests.deregister(op);
    return answer;
  }

  /** Lets the receiver read the parts where they are; null if there is no room for that now. */
  private long @Nullable [] register(Operation op, BufferList list) {
    long[] keys = op.keys;
    if (keys == null) {
      keys = new long[BufferList.MAX_PARTS];
      op.keys = keys;
    }
    for (int i = 0; i < list.count(); i++) {
      MemorySegment part = list.part(i);
      keys[i] = part.byteSize() == 0 ? 0 : device.requests.register(part, 0, part.byteSize());
      op.keyCount = i + 1;
      if (keys[i] == 0 && part.byteSize() > 0) {
        device.requests.deregister(op);
        return null;
      }
    }
    return keys;
  }

  /** Refuses a list that is too much for a packet, or for the network. */
  void checkRoom(BufferList list, Pool pool) {
    int table = ListFrame.tableBytes(list.count());
    MemorySegment piggyback = list.piggyback();
    long extra = piggyback == null ? 0 : piggyback.byteSize();
    if (extra > pool.packetBytes() - table) {
      throw new IllegalArgumentException(
          table > pool.packetBytes()
              ? "a list of "
                  + list.count()
                  + " parts needs a packet of "
                  + table
                  + " bytes, but the pool's have "
                  + pool.packetBytes()
              : "piggyback is "
                  + extra
                  + " bytes, but with "
                  + list.count()
                  + " parts and packets of "
                  + pool.packetBytes()
                  + " bytes at most "
                  + (pool.packetBytes() - table)
                  + " are possible");
    }
    long limit = context.transferLimit();
    for (int i = 0; i < list.count(); i++) {
      if (list.part(i).byteSize() > limit) {
        throw new IllegalArgumentException(
            "part "
                + i
                + " of the list is "
                + list.part(i).byteSize()
                + " bytes, but this network moves at most "
                + limit
                + " at once");
      }
    }
  }
}
