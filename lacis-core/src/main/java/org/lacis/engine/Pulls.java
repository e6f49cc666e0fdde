package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.BufferList;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.ErrorKind;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;
import org.lacis.net.NetPieces;

/**
 * The zero-copy protocol at the receiver: the request says where the data is, the receiver gets it
 * straight into the user's buffer, or into a long buffer for an active message, and tells the
 * sender that its buffer is free, unless the network does that with the data.
 */
final class Pulls {

  // What FIN tells the sender.
  static final int FINE = 0;
  static final int NO_MEMORY = 1;
  static final int NO_ACCESS = 2;
  static final int CLOSED = 3;

  /** Fine, as the network tells the sender with the transfer. */
  static final int ALONG = 4;

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
      case FINE, ALONG -> null;
      case NO_MEMORY -> Errors.noMemory(rank);
      case NO_ACCESS -> Errors.sendBufferClosed(rank);
      default ->
          new CommunicationException(
              ErrorKind.CLOSED,
              rank,
              "rank " + rank + " has closed the matching engine, or dropped the message unread");
    };
  }

  /** A receive and a request have met; any thread. */
  void start(Operation request, Operation receive) {
    request.receive = receive;
    if (device.isClosed()) {
      // The sender cannot be told by a device that is closed; its own end of it ends the send.
      receive.table.device.complete(
          receive, request.rank, request.tag, 0, Errors.closed(request.rank));
      engine.release(request.lease);
      table.give(request);
      return;
    }
    long length = length(request);
    long use = request.wireId();
    CommunicationException error =
        Fit.check(receive, request.rank, request.tag, table(request), length);
    if (error != null) {
      end(request, FINE, error);
      device.letGo(request, use);
    } else if (receive.lends && !borrow(request, length)) {
      end(request, NO_MEMORY, Errors.noMemoryHere(request.rank, request.tag, length));
      device.letGo(request, use);
    } else {
      begin(request, receive.list);
    }
  }

  /** An active message's request; any thread. */
  void startActive(Operation request) {
    if (borrow(request, length(request))) {
      begin(request, null);
    } else {
      tell(request.rank, request.peerOperation, NO_MEMORY);
      engine.release(request.lease);
      table.give(request);
    }
  }

  /** Takes a long buffer for the message; what is in front of a list's data is copied there. */
  private boolean borrow(Operation request, long length) {
    long list = table(request);
    int head = list == 0 ? 0 : ListFrame.headBytes(list);
    LongBuffers.Block block =
        length > Long.MAX_VALUE - head ? null : engine.longBuffers.take(length + head);
    if (block == null) {
      return false;
    }
    request.block = block;
    if (list != 0) {
      Memory.copy(list, block.address, head);
      engine.release(request.lease);
      request.lease = 0;
      request.payload = block.address;
    }
    return true;
  }

  private void begin(Operation request, @Nullable BufferList list) {
    if (list != null || table(request) != 0) {
      cut(request, Pieces.prepare(request), list);
    }
    // Who waits for the receive is told by the receiver.
    request.along =
        !request.inPieces
            && !Frame.isSynchronous(request.payload)
            && net.notifiesAlong(request.rank, length(request));
    long use = request.wireId();
    request.state = Operation.State.PULL;
    if (!pull(request)) {
      device.keep(request);
    }
    device.letGo(request, use);
  }

  /** A list that is pulled, or something else that is pulled into a list. */
  private static void cut(Operation request, NetPieces pieces, @Nullable BufferList list) {
    long sent = table(request);
    int count = sent != 0 ? ListFrame.count(sent) : Objects.requireNonNull(list).count();
    long total = length(request);
    long before = 0;
    for (int i = 0; i < count; i++) {
      MemorySegment part = list == null ? null : list.part(i);
      long length =
          sent != 0
              ? ListFrame.length(sent, i)
              : Math.min(total - before, Objects.requireNonNull(part).byteSize());
      MemorySegment local = part == null ? target(request) : Buffers.shareable(part);
      pieces.add(
          local,
          part == null ? targetOffset(request) + before : Buffers.offset(local, part, 0),
          length,
          sent != 0 ? ListFrame.key(sent, i) : Memory.getLong(request.payload + Frame.RTS_KEY),
          sent != 0 ? 0 : before);
      before += length;
    }
  }

  /** Starts the transfer; false if it must be tried again. */
  boolean pull(Operation request) {
    if (request.inPieces) {
      return device.pieces.issue(request) == NetDevice.OK;
    }
    long key = Memory.getLong(request.payload + Frame.RTS_KEY);
    int answer =
        net.get(
            request.rank,
            target(request),
            targetOffset(request),
            length(request),
            key,
            0,
            request.along ? answer(ALONG) : 0,
            request.peerOperation,
            request.id);
    if (answer == NetDevice.PENDING) {
      return true;
    }
    if (answer < 0 && answer > NetDevice.NO_ACCESS) {
      return false;
    }
    ended(request, answer);
    return true;
  }

  /** Where the message goes: a long buffer, or that of its receive. */
  static MemorySegment target(Operation request) {
    LongBuffers.Block block = request.block;
    return block != null
        ? block.segment
        : Objects.requireNonNull(Objects.requireNonNull(request.receive).target);
  }

  /** Where in it the message starts. */
  static long targetOffset(Operation request) {
    if (request.block != null) {
      long list = table(request);
      return list == 0 ? 0 : ListFrame.headBytes(list);
    }
    return Objects.requireNonNull(request.receive).targetOffset;
  }

  /** The frame of a request for a list; 0 if it is for one buffer. */
  static long table(Operation request) {
    return Frame.isList(request.h0) ? request.payload : 0;
  }

  /** The transfer is over. */
  void ended(Operation request, int result) {
    if (result == NetDevice.OK) {
      device.watch.fetched.add(length(request));
      if (request.along) {
        device.partners.answeredAlong(request.rank);
      }
      end(request, request.along ? ALONG : FINE, null);
    } else {
      CommunicationException error =
          result == NetDevice.NO_ACCESS
              ? Errors.senderBufferClosed(request.rank)
              : Errors.of(result, request.rank);
      end(request, NO_ACCESS, error);
    }
  }

  private void end(Operation request, int result, @Nullable CommunicationException error) {
    request.result = result;
    request.error = error;
    request.state = Operation.State.ANSWER;
    if (!handOver(request)) {
      device.keep(request);
    }
  }

  /**
   * All of it is here, or none will come: tells the sender, unless the network does, then the
   * receiver, who may close its runtime at once.
   *
   * @return false if it must be tried again
   */
  boolean handOver(Operation request) {
    int result = request.result;
    if (result != ALONG && !send(request.rank, answer(result), request.peerOperation)) {
      return false;
    }
    CommunicationException error = request.error;
    Operation receive = request.receive;
    if (error != null) {
      fail(request, error);
      return true;
    }
    if (receive != null) {
      finish(request, receive);
      return true;
    }
    request.state = Operation.State.DELIVER;
    return deliver(request);
  }

  /** Ends one that was left under way on a device that is closed. */
  void abandon(Operation request) {
    fail(request, Errors.closed(request.rank));
  }

  private void fail(Operation request, CommunicationException error) {
    Operation receive = request.receive;
    int rank = request.rank;
    int tag = request.tag;
    engine.release(lease(request));
    table.give(request);
    if (receive != null) {
      receive.table.device.complete(receive, rank, tag, 0, error);
    }
  }

  private void finish(Operation request, Operation receive) {
    int rank = request.rank;
    int tag = request.tag;
    long length = length(request);
    long list = table(request);
    LongBuffers.Block block = request.block;
    long lent = block == null ? 0 : block.address + targetOffset(request);
    long lease = lease(request);
    Fit.copyPiggyback(receive, list);
    table.give(request);
    device.receives.complete(receive, rank, tag, length, list, lent, lease);
  }

  /** What keeps the message, or the frame of a list. */
  private static long lease(Operation request) {
    LongBuffers.Block block = request.block;
    return block != null ? block.lease() : request.lease;
  }

  /** Hands a long active message to its completion object; false if that is full. */
  boolean deliver(Operation request) {
    Completion completion = Objects.requireNonNull(engine.completions.get(Frame.index(request.h0)));
    LongBuffers.Block block = Objects.requireNonNull(request.block);
    StatusRecord status = request.status;
    status.arrival(
        request.rank,
        request.tag,
        length(request),
        block.address + targetOffset(request),
        block.lease(),
        engine);
    if (Frame.isList(request.h0)) {
      status.list(block.address, block.lease(), engine);
    }
    status.immediate(
        Frame.isList(request.h0)
            ? ListFrame.immediate(request.payload)
            : Memory.getLong(request.payload + Frame.RTS_IMMEDIATE));
    if (completion instanceof Bounded bounded) {
      if (!bounded.offer(status)) {
        status.undo();
        return false;
      }
    } else {
      // A handler may close the device.
      request.hold();
      engine.signal(completion, status);
    }
    table.give(request);
    return true;
  }

  /** Tells a sender how its request ended. */
  void tell(int rank, long peerOperation, int result) {
    submit(rank, answer(result), peerOperation);
  }

  /** Sends a message without content, now or later. */
  void submit(int rank, long h0, long h1) {
    if (!send(rank, h0, h1)) {
      Operation later = table.take();
      later.rank = rank;
      later.h0 = h0;
      later.peerOperation = h1;
      long use = later.wireId();
      later.state = Operation.State.FINISH;
      device.keep(later);
      device.letGo(later, use);
    }
  }

  private static long answer(int result) {
    return Frame.h0(Frame.FIN, 0, result, 0);
  }

  /** Sends FIN, or something else without content; false if it must be tried again. */
  boolean send(int rank, long h0, long h1) {
    boolean counts = Frame.kind(h0) == Frame.FIN;
    if (counts) {
      device.partners.answering(rank);
    }
    int answer = NetDevice.BUSY;
    try {
      answer = net.inject(rank, h0, h1, MemorySegment.NULL, 0, 0);
    } finally {
      if (counts) {
        device.partners.answered(rank, answer == NetDevice.OK);
      }
    }
    return answer == NetDevice.OK || answer == NetDevice.PEER_GONE;
  }

  static long length(Operation request) {
    return Frame.isList(request.h0)
        ? ListFrame.total(request.payload)
        : Frame.rtsLength(request.payload);
  }
}
