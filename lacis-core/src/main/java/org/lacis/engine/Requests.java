package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;

/**
 * The zero-copy protocol at the sender: registers the user's buffer and tells the receiver, which
 * {@linkplain Pulls pulls} the message out of it.
 */
final class Requests {

  /** What turns an eager kind into its request. */
  static final long TO_RTS = (long) (Frame.RTS_SEND - Frame.EAGER_SEND) << 60;

  private final NetContext context;
  private final NetDevice net;
  private final OperationTable table;
  private final Watch watch;

  Requests(NetContext context, NetDevice net, OperationTable table, Watch watch) {
    this.context = context;
    this.net = net;
    this.table = table;
    this.watch = watch;
  }

  /** Tells the receiver where the message is. */
  int request(Operation op) {
    op.localKey = register(Objects.requireNonNull(op.buffer), op.offset, op.length);
    if (op.localKey == 0) {
      return NetDevice.NO_MEMORY;
    }
    // Set before the call: the answer may come before the call returns.
    op.state = Operation.State.SEND;
    long use = op.wireId();
    int answer = sendRequest(op);
    // If the peer has gone meanwhile, its completion object may have been told so already.
    if (answer == NetDevice.OK || !table.claim(op, use)) {
      return NetDevice.PENDING;
    }
    deregister(op);
    return answer;
  }

  /** Lets the receiver read a message where it is; 0 if there is no room for that now. */
  long register(MemorySegment buffer, long offset, long length) {
    MemorySegment shared = Buffers.shareable(buffer);
    return context.register(
        shared, Buffers.offset(shared, buffer, offset), length, NetContext.READ);
  }

  private int sendRequest(Operation op) {
    Memory.putLong(op.inlineAddress + Frame.RTS_KEY, op.localKey);
    Memory.putLong(
        op.inlineAddress + Frame.RTS_LENGTH,
        op.synchronous ? op.length | Long.MIN_VALUE : op.length);
    Memory.putLong(op.inlineAddress + Frame.RTS_IMMEDIATE, op.immediate);
    // Once it is out, its answer may come and the operation be used again.
    long length = op.length;
    int answer = net.inject(op.rank, op.h0 + TO_RTS, op.wireId(), op.inline, 0, Frame.RTS_BYTES);
    if (answer == NetDevice.OK) {
      watch.zeroCopied.add(length);
    }
    return answer;
  }

  /** Ends the registrations of a zero-copy send. */
  void deregister(Operation op) {
    if (op.localKey != 0) {
      context.deregister(op.localKey);
      op.localKey = 0;
    }
    for (int i = 0; i < op.keyCount; i++) {
      long key = Objects.requireNonNull(op.keys)[i];
      if (key != 0) {
        context.deregister(key);
      }
    }
    op.keyCount = 0;
  }
}
