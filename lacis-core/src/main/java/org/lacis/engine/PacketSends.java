package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.Completion;
import org.lacis.Post;
import org.lacis.net.NetDevice;

/** Packets that the user has filled: they are sent where they are. */
final class PacketSends {

  private final EngineDevice device;
  private final Engine engine;
  private final NetDevice net;
  private final OperationTable table;
  private final Answers answers;

  PacketSends(
      EngineDevice device, Engine engine, NetDevice net, OperationTable table, Answers answers) {
    this.device = device;
    this.engine = engine;
    this.net = net;
    this.table = table;
    this.answers = answers;
  }

  /** Sends a packet of the user's in place. */
  Post send(
      int rank,
      long h0,
      Pool.PooledPacket packet,
      int length,
      Completion done,
      @Nullable Object user,
      long immediate,
      int flags) {
    boolean watched = device.watch.posts();
    if (watched) {
      device.watch.protocol(rank, length, "packet");
    }
    Post answer = carryPacket(rank, h0, packet, length, done, user, immediate, flags);
    if (watched) {
      device.watch.posted(Outgoing.kind(h0), rank, h0, length, answer);
    }
    return answer;
  }

  private Post carryPacket(
      int rank,
      long h0,
      Pool.PooledPacket packet,
      int length,
      Completion done,
      @Nullable Object user,
      long immediate,
      int flags) {
    Objects.requireNonNull(done, DevicePoster.NO_COMPLETION);
    device.checks.peer(rank);
    device.requireOpen();
    Pool pool = packet.pool();
    if (length < 0 || length > pool.packetBytes()) {
      throw new IndexOutOfBoundsException(
          "length must be 0 to the packet's " + pool.packetBytes() + " bytes, but is " + length);
    }
    if (!engine.pools.has(pool)) {
      throw new IllegalArgumentException("packet belongs to another runtime");
    }
    MemorySegment segment = packet.segment();
    packet.letGo();
    int answer = net.sendPacket(rank, h0, immediate, packet.address(), length);
    if (answer == NetDevice.OK) {
      device.watch.copied.add(length);
      if ((flags & Outgoing.ALLOW_DONE) != 0) {
        return Post.DONE;
      }
      Operation op = Outgoing.fill(table.take(), rank, h0, segment, 0, length, done, user);
      device.complete(op, rank, Frame.tag(h0), length, null);
      return Post.POSTED;
    }
    if (answer == NetDevice.PEER_GONE
        || (flags & Outgoing.ALLOW_RETRY) != 0
        || device.backlog.isFull()) {
      packet.holdAgain();
      answers.refuseIfGone(answer, rank);
      return (flags & Outgoing.ALLOW_RETRY) != 0
          ? answers.retry(rank, answer)
          : device.watch.retry(rank, Post.RETRY_BACKLOG);
    }
    Operation op = Outgoing.fill(table.take(), rank, h0, segment, 0, length, done, user);
    op.packet = packet.address();
    op.pool = pool;
    op.immediate = immediate;
    return answers.backlogged(op);
  }
}
