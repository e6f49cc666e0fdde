package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.AtomicOp;
import org.lacis.Completion;
import org.lacis.Post;
import org.lacis.RemoteRegion;
import org.lacis.Rights;
import org.lacis.net.AtomicWord;

/**
 * What a device does to single words of regions elsewhere. The network sees to it that each is one
 * step; here it is a transfer like any other, of a few bytes.
 */
final class Atomics {

  private final EngineDevice device;
  private final OperationTable table;
  private final Transfers transfers;

  Atomics(EngineDevice device, OperationTable table, Transfers transfers) {
    this.device = device;
    this.table = table;
    this.transfers = transfers;
  }

  /** The network's number of an operation on 64 bits. */
  static int operation(AtomicOp op) {
    return switch (Objects.requireNonNull(op, "op")) {
      case ADD -> AtomicWord.ADD;
      case SWAP -> AtomicWord.SWAP;
      case AND -> AtomicWord.AND;
      case OR -> AtomicWord.OR;
      case XOR -> AtomicWord.XOR;
    };
  }

  Post post(
      int operation,
      long operand,
      long expected,
      @Nullable MemorySegment fetched,
      RemoteRegion remote,
      long offset,
      long signal,
      Completion done,
      @Nullable Object user,
      int flags) {
    Objects.requireNonNull(done, DevicePoster.NO_COMPLETION);
    device.requireOpen();
    int bytes = AtomicWord.bytes(operation);
    check(remote, offset, bytes);
    if (fetched != null) {
      checkFetched(fetched, bytes);
    }
    Operation op = table.take();
    op.rank = remote.rank();
    op.h0 = signal;
    op.buffer = fetched;
    op.offset = 0;
    op.length = bytes;
    op.done = done;
    op.context = user;
    op.atomic = operation;
    op.operand = operand;
    op.expected = expected;
    op.remoteKey = remote.key();
    op.remoteOffset = remote.offset() + offset;
    int peer = remote.rank();
    Post answer = transfers.submit(op, flags);
    if (device.watch.posts()) {
      device.watch.posted(Watch.Kind.ATOMIC, peer, signal, bytes, answer);
    }
    return answer;
  }

  private void check(RemoteRegion remote, long offset, int bytes) {
    transfers.checkPlace(remote, offset, bytes);
    if (remote.rights() != Rights.READ_WRITE) {
      throw new IllegalArgumentException(
          "remote region allows " + remote.rights() + ", but an atomic reads and writes");
    }
    if ((remote.offset() + offset) % bytes != 0) {
      throw new IllegalArgumentException(
          "offset must be that of a word of "
              + bytes
              + " bytes, a multiple of that in the registered memory, but is "
              + offset
              + (remote.offset() == 0 ? "" : " in a part that starts at " + remote.offset()));
    }
  }

  private static void checkFetched(MemorySegment fetched, int bytes) {
    if (fetched.byteSize() != bytes) {
      throw new IllegalArgumentException(
          "the buffer for what is fetched must have "
              + bytes
              + " bytes, as the word has, but has "
              + fetched.byteSize());
    }
    Buffers.checkWritable(fetched, 0, bytes);
  }
}
