package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.ErrorKind;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;

/**
 * The zero-copy protocol at the receiver: the request says where the data is, the receiver gets it
 * straight into the user's buffer, or into a long buffer for an active message, and tells the
 * sender that its buffer is free.
 */
final class Pulls {

  // What FIN tells the sender.
  static final int FINE = 0;
  static final int NO_MEMORY = 1;
  static final int NO_ACCESS = 2;
  static final int CLOSED = 3;

  private final EngineDevice device;
  private final Engine engine;
  private final NetDevice net;
  private final OperationTable table;

  Pulls(EngineDevice device, Engine engine, NetDevice net, OperationTable table) {
    this.device = device;
    this.engine = engine;
    this.net = net;
    this.table = table;
  }

  /** What the sender makes of FIN; null if all went well. */
  static @Nullable CommunicationException error(int result, int rank) {
    return switch (result) {
      case FINE -> null;
      case NO_MEMORY -> Errors.noMemory(rank);
      case NO_ACCESS -> Errors.sendBufferClosed(rank);
      default ->
          new CommunicationException(
              ErrorKind.CLOSED, rank, "rank " + rank + " has closed the matching engine");
    };
  }

  /** A receive and a request have met; any thread. */
  void start(Operation request, Operation receive) {
    long length = length(request);
    request.receive = receive;
    if (device.isClosed()) {
      // The sender cannot be told by a device that is closed; its own end of it ends the send.
      receive.table.device.complete(
          receive, request.rank, request.tag, 0, Errors.closed(request.rank));
      table.give(request);
    } else if (length > receive.length) {
      end(request, FINE, Errors.truncated(request.rank, request.tag, length, receive.length));
    } else if (!Objects.requireNonNull(receive.buffer).scope().isAlive()) {
      end(request, FINE, Errors.bufferClosed(request.rank));
    } else {
      request.state = Operation.State.PULL;
      if (!pull(request)) {
        device.backlog.push(request);
      }
    }
  }

  /** An active message's request; any thread. */
  void startActive(Operation request) {
    LongBuffers.Block block = engine.longBuffers.take(length(request));
    if (block == null) {
      tell(request.rank, request.peerOperation, NO_MEMORY);
      table.give(request);
      return;
    }
    request.block = block;
    request.state = Operation.State.PULL;
    if (!pull(request)) {
      device.backlog.push(request);
    }
  }

  /** Starts the transfer; false if it must be tried again. */
  boolean pull(Operation request) {
    Operation receive = request.receive;
    MemorySegment target;
    long offset;
    if (receive != null) {
      target = Objects.requireNonNull(receive.target);
      offset = receive.targetOffset;
    } else {
      target = Objects.requireNonNull(request.block).segment;
      offset = 0;
    }
    long key = Memory.getLong(request.payload + Frame.RTS_KEY);
    int answer = net.get(request.rank, target, offset, length(request), key, 0, 0, 0, request.id);
    if (answer == NetDevice.PENDING) {
      return true;
    }
    if (answer < 0 && answer > NetDevice.NO_ACCESS) {
      return false;
    }
    ended(request, answer);
    return true;
  }

  /** The transfer is over. */
  void ended(Operation request, int result) {
    if (result == NetDevice.OK) {
      end(request, FINE, null);
    } else {
      CommunicationException error =
          result == NetDevice.NO_ACCESS
              ? Errors.senderBufferClosed(request.rank)
              : Errors.of(result, request.rank);
      end(request, NO_ACCESS, error);
    }
  }

  private void end(Operation request, int result, @Nullable CommunicationException error) {
    if (error == null || error.kind() != ErrorKind.PEER_GONE) {
      tell(request.rank, request.peerOperation, result);
    }
    Operation receive = request.receive;
    if (receive == null) {
      if (error != null) {
        engine.longBuffers.release(Objects.requireNonNull(request.block).lease());
        table.give(request);
      } else if (!deliver(request)) {
        request.state = Operation.State.DELIVER;
        device.backlog.push(request);
      }
      return;
    }
    int rank = request.rank;
    int tag = request.tag;
    long length = length(request);
    table.give(request);
    device.complete(receive, rank, tag, error == null ? length : 0, error);
  }

  /** Hands a long active message to its completion object; false if that is full. */
  boolean deliver(Operation request) {
    Completion completion = Objects.requireNonNull(engine.completions.get(Frame.index(request.h0)));
    LongBuffers.Block block = Objects.requireNonNull(request.block);
    StatusRecord status = request.status;
    status.arrival(
        request.rank, request.tag, length(request), block.address, block.lease(), engine);
    if (completion instanceof Bounded bounded) {
      if (!bounded.offer(status)) {
        status.forgetLease();
        return false;
      }
    } else {
      engine.signal(completion, status);
    }
    table.give(request);
    return true;
  }

  /** Tells a sender how its request ended. */
  void tell(int rank, long peerOperation, int result) {
    if (!answer(rank, peerOperation, result)) {
      Operation later = table.take();
      later.rank = rank;
      later.peerOperation = peerOperation;
      later.result = result;
      later.state = Operation.State.FINISH;
      device.backlog.push(later);
    }
  }

  /** Sends FIN; false if it must be tried again. */
  boolean answer(int rank, long peerOperation, int result) {
    int answer =
        net.inject(
            rank, Frame.h0(Frame.FIN, 0, result, 0), peerOperation, MemorySegment.NULL, 0, 0);
    return answer == NetDevice.OK || answer == NetDevice.PEER_GONE;
  }

  private static long length(Operation request) {
    return Memory.getLong(request.payload + Frame.RTS_LENGTH);
  }
}
