package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.Completion;
import org.lacis.Post;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;

/**
 * What a device sends. It goes by size: inject (inside the frame), eager (in a packet, unless the
 * network copies it by itself), or request (the receiver pulls the data out of the user's buffer).
 */
final class Outgoing {

  static final int ALLOW_DONE = 1;
  static final int ALLOW_RETRY = 2;
  static final int DEFAULT_FLAGS = ALLOW_DONE | ALLOW_RETRY;

  /** Beside the network's own answers: the packet pool is empty. */
  static final int NO_PACKET = -50;

  private final EngineDevice device;
  private final NetDevice net;
  private final OperationTable table;
  private final Watch watch;
  private final PeerChecks checks;
  private final Requests requests;
  private final Answers answers;
  private final int injectLimit;

  Outgoing(EngineDevice device, Engine engine, NetDevice net, OperationTable table) {
    this.device = device;
    this.net = net;
    this.table = table;
    this.watch = device.watch;
    this.checks = device.checks;
    this.requests = device.requests;
    this.answers = device.answers;
    this.injectLimit = engine.injectLimit();
  }

  /** Sends, or sends an active message: the frame says which. */
  Post send(
      int rank,
      long h0,
      MemorySegment buffer,
      long offset,
      long length,
      Pool pool,
      Completion done,
      @Nullable Object user,
      int flags) {
    Objects.requireNonNull(done, DevicePoster.NO_COMPLETION);
    checks.peer(rank);
    Buffers.checkReadable(buffer, offset, length);
    device.requireOpen();
    return watch.posts()
        ? watched(rank, h0, buffer, offset, length, pool, done, user, flags)
        : carry(rank, h0, buffer, offset, length, pool, done, user, flags);
  }

  private Post watched(
      int rank,
      long h0,
      MemorySegment buffer,
      long offset,
      long length,
      Pool pool,
      Completion done,
      @Nullable Object user,
      int flags) {
    tellProtocol(rank, length, pool, false);
    Post answer = carry(rank, h0, buffer, offset, length, pool, done, user, flags);
    watch.posted(kind(h0), rank, h0, length, answer);
    if (answer == Post.DONE) {
      countInject(length);
    }
    return answer;
  }

  private void tellProtocol(int rank, long length, Pool pool, boolean synchronous) {
    String eager = length <= injectLimit ? "inject" : "buffer-copy";
    boolean request = synchronous || length > Math.max(injectLimit, pool.packetBytes());
    watch.protocol(rank, length, request ? "zero-copy" : eager);
  }

  /** Counts a message that has gone, if it went inside a frame. */
  private void countInject(long length) {
    if (length <= injectLimit) {
      watch.injected(length);
    }
  }

  static Watch.Kind kind(long h0) {
    return Frame.kind(h0) == Frame.EAGER_AM ? Watch.Kind.ACTIVE : Watch.Kind.SEND;
  }

  private Post carry(
      int rank,
      long h0,
      MemorySegment buffer,
      long offset,
      long length,
      Pool pool,
      Completion done,
      @Nullable Object user,
      int flags) {
    int answer = submit(rank, h0, buffer, offset, length, pool, done, user);
    if (answer == NetDevice.OK && (flags & ALLOW_DONE) != 0) {
      return Post.DONE;
    }
    return answered(answer, rank, h0, buffer, offset, length, pool, done, user, flags);
  }

  private int submit(
      int rank,
      long h0,
      MemorySegment buffer,
      long offset,
      long length,
      Pool pool,
      Completion done,
      @Nullable Object user) {
    if (length <= injectLimit) {
      return net.inject(rank, h0, 0, buffer, offset, (int) length);
    }
    return length <= pool.packetBytes()
        ? eager(rank, h0, 0, buffer, offset, (int) length, pool)
        : request(rank, h0, buffer, offset, length, done, user);
  }

  private int eager(
      int rank, long h0, long h1, MemorySegment buffer, long offset, int length, Pool pool) {
    int answer =
        length <= net.copyLimit(rank)
            ? net.sendCopy(rank, h0, h1, buffer, offset, length)
            : packed(rank, h0, h1, buffer, offset, length, pool);
    if (answer == NetDevice.OK) {
      watch.copied.add(length);
    }
    return answer;
  }

  private int packed(
      int rank, long h0, long h1, MemorySegment buffer, long offset, int length, Pool pool) {
    long packet = pool.take();
    if (packet == 0) {
      return NO_PACKET;
    }
    int answer = NetDevice.BUSY;
    try {
      Memory.copyIn(buffer, offset, packet, length);
      answer = net.sendPacket(rank, h0, h1, packet, length);
    } finally {
      if (answer != NetDevice.OK) {
        pool.give(packet);
      }
    }
    return answer;
  }

  private int request(
      int rank,
      long h0,
      MemorySegment buffer,
      long offset,
      long length,
      Completion done,
      @Nullable Object user) {
    checks.limit(length);
    Operation op = fill(table.take(), rank, h0, buffer, offset, length, done, user);
    long use = op.wireId();
    int answer = requests.request(op);
    if (answer < 0) {
      table.give(op);
    } else {
      device.letGo(op, use);
    }
    return answer;
  }

  /** The answers other than the plain one. */
  private Post answered(
      int answer,
      int rank,
      long h0,
      MemorySegment buffer,
      long offset,
      long length,
      Pool pool,
      Completion done,
      @Nullable Object user,
      int flags) {
    if (answer == NetDevice.PENDING) {
      return Post.POSTED;
    }
    if (answer == NetDevice.OK) {
      countInject(length);
      device.complete(
          fill(table.take(), rank, h0, buffer, offset, length, done, user),
          rank,
          Frame.tag(h0),
          length,
          null);
      return Post.POSTED;
    }
    answers.refuseIfGone(answer, rank);
    if ((flags & ALLOW_RETRY) != 0) {
      return answers.retry(rank, answer);
    }
    if (device.backlog.isFull()) {
      return watch.retry(rank, Post.RETRY_BACKLOG);
    }
    Operation op = fill(table.take(), rank, h0, buffer, offset, length, done, user);
    op.pool = pool;
    return answers.backlogged(op);
  }

  /** Sends with options that few need, which the quick way has no place for. */
  Post send(
      int rank,
      long h0,
      MemorySegment buffer,
      long offset,
      long length,
      Pool pool,
      Completion done,
      @Nullable Object user,
      long immediate,
      boolean synchronous,
      int flags) {
    checks.peer(rank);
    Buffers.checkReadable(buffer, offset, length);
    device.requireOpen();
    checks.limit(length);
    if (length <= injectLimit && !synchronous && (flags & ALLOW_DONE) != 0 && !watch.posts()) {
      // Most go at once, and need no operation.
      if (net.inject(rank, h0, immediate, buffer, offset, (int) length) == NetDevice.OK) {
        return Post.DONE;
      }
    }
    Operation op = fill(table.take(), rank, h0, buffer, offset, length, done, user);
    op.pool = pool;
    op.immediate = immediate;
    op.synchronous = synchronous;
    if (watch.posts()) {
      tellProtocol(rank, length, pool, synchronous);
    }
    Post answer = answers.conclude(op, op.wireId(), submit(op), flags);
    if (watch.posts()) {
      watch.posted(kind(h0), rank, h0, length, answer);
    }
    return answer;
  }

  /** Tries an operation of the backlog again; false if it must stay there. */
  boolean resume(Operation op) {
    int answer = submit(op);
    if (answer < 0) {
      op.state = Operation.State.BACKLOG;
    }
    return answers.settle(op, answer);
  }

  private int submit(Operation op) {
    if (op.packet != 0) {
      int answer = net.sendPacket(op.rank, op.h0, op.immediate, op.packet, (int) op.length);
      if (answer == NetDevice.OK) {
        watch.copied.add(op.length);
      }
      return answer;
    }
    Pool pool = Objects.requireNonNull(op.pool);
    if (op.synchronous || (op.length > injectLimit && op.length > pool.packetBytes())) {
      return requests.request(op);
    }
    MemorySegment buffer = Objects.requireNonNull(op.buffer);
    MemorySegment from = Buffers.shareable(buffer);
    long offset = Buffers.offset(from, buffer, op.offset);
    int length = (int) op.length;
    if (length > injectLimit) {
      return eager(op.rank, op.h0, op.immediate, from, offset, length, pool);
    }
    int answer = net.inject(op.rank, op.h0, op.immediate, from, offset, length);
    if (answer == NetDevice.OK) {
      watch.injected(length);
    }
    return answer;
  }

  static Operation fill(
      Operation op,
      int rank,
      long h0,
      MemorySegment buffer,
      long offset,
      long length,
      Completion done,
      @Nullable Object user) {
    op.rank = rank;
    op.h0 = h0;
    op.buffer = buffer;
    op.offset = offset;
    op.length = length;
    op.done = done;
    op.context = user;
    op.remoteKey = 0;
    return op;
  }
}
