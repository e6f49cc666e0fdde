package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.Completion;
import org.lacis.Post;
import org.lacis.RemoteRegion;
import org.lacis.net.NetDevice;

/**
 * What a device puts and gets, or changes: straight between a buffer here and a region elsewhere.
 */
final class Transfers {

  private final EngineDevice device;
  private final Engine engine;
  private final NetDevice net;
  private final OperationTable table;
  private final Answers answers;
  private final Watch watch;

  Transfers(
      EngineDevice device, Engine engine, NetDevice net, OperationTable table, Answers answers) {
    this.device = device;
    this.engine = engine;
    this.net = net;
    this.table = table;
    this.answers = answers;
    this.watch = device.watch;
  }

  /** Puts, or gets. */
  Post transfer(
      boolean input,
      RemoteRegion remote,
      long remoteOffset,
      long signal,
      MemorySegment local,
      long offset,
      long length,
      Completion done,
      @Nullable Object user,
      int flags) {
    Post answer =
        carry(input, remote, remoteOffset, signal, local, offset, length, done, user, flags);
    if (watch.posts()) {
      watch.posted(input ? Watch.Kind.GET : Watch.Kind.PUT, remote.rank(), signal, length, answer);
    }
    return answer;
  }

  private Post carry(
      boolean input,
      RemoteRegion remote,
      long remoteOffset,
      long signal,
      MemorySegment local,
      long offset,
      long length,
      Completion done,
      @Nullable Object user,
      int flags) {
    Objects.requireNonNull(done, DevicePoster.NO_COMPLETION);
    device.requireOpen();
    checkPlace(remote, remoteOffset, length);
    checkRights(input, remote);
    if (input) {
      Buffers.checkWritable(local, offset, length);
    } else {
      Buffers.checkReadable(local, offset, length);
    }
    if (signal == 0 && (flags & Outgoing.ALLOW_DONE) != 0) {
      if (moved(input, remote, remoteOffset, local, offset, length)) {
        return Post.DONE;
      }
    }
    Operation op =
        Outgoing.fill(table.take(), remote.rank(), signal, local, offset, length, done, user);
    op.input = input;
    op.remoteKey = remote.key();
    op.remoteOffset = remote.offset() + remoteOffset;
    return submit(op, flags);
  }

  /** Whether it is done already: most short ones are, and need no operation. */
  private boolean moved(
      boolean input,
      RemoteRegion remote,
      long remoteOffset,
      MemorySegment local,
      long offset,
      long length) {
    MemorySegment place = Buffers.shareable(local);
    int answer =
        net.move(
            !input,
            remote.rank(),
            place,
            Buffers.offset(place, local, offset),
            length,
            remote.key(),
            remote.offset() + remoteOffset);
    if (answer != NetDevice.OK) {
      return false;
    }
    (input ? watch.got : watch.put).add(length);
    return true;
  }

  /** Sets a transfer off, or puts it into the backlog. */
  Post submit(Operation op, int flags) {
    return answers.conclude(op, op.wireId(), move(op), flags);
  }

  /** Tries a transfer of the backlog again; false if it must stay there. */
  boolean resume(Operation op) {
    int answer = move(op);
    if (answer < 0) {
      op.state = Operation.State.BACKLOG;
    }
    return answers.settle(op, answer);
  }

  private int move(Operation op) {
    // Set before the call: it may complete before the call returns.
    op.state = Operation.State.TRANSFER;
    MemorySegment buffer = op.buffer == null ? op.inline : op.buffer;
    MemorySegment local = Buffers.shareable(buffer);
    long offset = Buffers.offset(local, buffer, op.offset);
    if (op.atomic != 0) {
      return change(op, local, offset);
    }
    // Once it is under way it may complete, and the operation be used again.
    long length = op.length;
    Watch.Flow flow = op.input ? watch.got : watch.put;
    int answer =
        op.input
            ? net.get(
                op.rank,
                local,
                offset,
                op.length,
                op.remoteKey,
                op.remoteOffset,
                Frame.signal(op.h0),
                op.length,
                op.id)
            : net.put(
                op.rank,
                local,
                offset,
                op.length,
                op.remoteKey,
                op.remoteOffset,
                Frame.signal(op.h0),
                op.length,
                op.id);
    if (answer == NetDevice.OK || answer == NetDevice.PENDING) {
      flow.add(length);
    }
    return answer;
  }

  private int change(Operation op, MemorySegment local, long offset) {
    int answer =
        net.atomic(
            op.rank,
            op.atomic,
            op.operand,
            op.expected,
            local,
            offset,
            op.remoteKey,
            op.remoteOffset,
            Frame.signal(op.h0),
            op.length,
            op.id);
    if (answer == NetDevice.OK || answer == NetDevice.PENDING) {
      watch.atomics.increment();
    }
    return answer;
  }

  void checkPlace(RemoteRegion remote, long offset, long length) {
    engine.regions.check(remote);
    device.checks.peer(remote.rank());
    if ((offset | length) < 0 || length > remote.length() - offset) {
      throw new IndexOutOfBoundsException(
          "offset "
              + offset
              + " and length "
              + length
              + " do not lie in a remote region of "
              + remote.length()
              + " bytes");
    }
    device.checks.limit(length);
  }

  static void checkRights(boolean input, RemoteRegion remote) {
    if (input ? !remote.rights().allowsGet() : !remote.rights().allowsPut()) {
      throw new IllegalArgumentException(
          "remote region allows " + remote.rights() + ", but this is a " + (input ? "get" : "put"));
    }
  }
}
