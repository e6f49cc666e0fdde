package org.lacis.engine;

import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lacis.Backlog;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.Counters;
import org.lacis.Device;
import org.lacis.Info;
import org.lacis.engine.jfr.ProgressEvent;
import org.lacis.engine.jfr.Trace;
import org.lacis.net.BiasedLock;
import org.lacis.net.NetDevice;

/** A device: the network's device, the operations under way on it, and its backlog. */
final class EngineDevice extends DevicePoster implements Device, BacklogQueue.Resumer {

  /** Arrivals that one progress call takes at most. */
  private static final int POLL_LIMIT = 256;

  /** So many looks: those of a program that works, and not those of one that waits to begin. */
  private static final int BIAS_AFTER = 1 << 16;

  final Engine engine;
  final int index;
  final Watch watch;

  private final String name;
  final BacklogQueue backlog;
  final PeerChecks checks;
  final Answers answers;
  final Requests requests;
  final Outgoing outgoing;
  final PacketSends packetSends;
  final ListSends listSends;
  final OrderedSends orderedSends;
  final Transfers transfers;
  final ListTransfers listTransfers;
  final Atomics atomics;
  final Receives receives;
  final Incoming incoming;
  final Pulls pulls;
  final Pieces pieces;
  final Partners partners;
  private final Leftovers leftovers;
  private final Retries retries;
  private final PeerFailures failures;
  private final NetDevice net;
  private final OperationTable table;
  private final BiasedLock progressLock = new BiasedLock(BIAS_AFTER);

  private final Turn turn = new Turn();

  /** By peer: not 0 if it is gone and all that it has sent by this device was taken. */
  private final AtomicIntegerArray gone;

  private volatile boolean closed;

  EngineDevice(Engine engine, int index, String name, NetDevice net) {
    this.engine = engine;
    this.index = index;
    this.name = name;
    this.watch = new Watch(engine, index);
    this.net = net;
    this.table = new OperationTable(this, engine.clock, turn);
    this.partners = new Partners(this, table, engine.size());
    this.leftovers = new Leftovers(this, table);
    this.retries = engine.retries;
    this.failures = engine.failures;
    this.gone = new AtomicIntegerArray(engine.size());
    this.backlog = new BacklogQueue(engine.options().backlogCapacity());
    this.checks = new PeerChecks(this, engine);
    this.answers = new Answers(this, table);
    this.requests = new Requests(engine.context(), net, table, watch);
    this.outgoing = new Outgoing(this, engine, net, table);
    this.packetSends = new PacketSends(this, engine, net, table, answers);
    this.listSends = new ListSends(this, engine, net, table, answers);
    this.orderedSends = new OrderedSends(this, engine.rank(), table);
    this.transfers = new Transfers(this, engine, net, table, answers);
    this.listTransfers = new ListTransfers(this, engine.pool, net, table, answers, transfers);
    this.atomics = new Atomics(this, table, transfers);
    this.pulls = new Pulls(this, engine, net, table);
    this.pieces = new Pieces(net, pulls, listTransfers);
    this.receives = new Receives(this, engine, table);
    this.incoming = new Incoming(this, engine, table, pulls, receives);
  }

  @Override
  EngineDevice device0() {
    return this;
  }

  NetDevice net() {
    return net;
  }

  /** A peer is gone. Other devices may still have messages of it. */
  void gone(int peer) {
    gone.set(peer, 1);
    watch.gone(peer);
    engine.barrier.wake();
    engine.fences.wake();
  }

  boolean isGone(int peer) {
    return gone.get(peer) != 0;
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public int progress() {
    BiasedLock lock = progressLock;
    if (!lock.tryLock()) {
      return 0;
    }
    turn.begin();
    try {
      if (closed) {
        return 0;
      }
      int n = Trace.isOn() ? workTraced() : work();
      watch.polled(n);
      return n;
    } finally {
      table.settle();
      turn.end();
      lock.unlock();
    }
  }

  private int work() {
    int n = backlog.isEmpty() ? 0 : backlog.drain(this);
    if (!retries.isEmpty()) {
      n += retries.drain();
    }
    if (failures.hasNews()) {
      n += failures.tellNews();
    }
    if (partners.hasNews()) {
      n += partners.endUnanswered();
    }
    return n + net.poll(incoming, POLL_LIMIT);
  }

  private int workTraced() {
    if (!ProgressEvent.isWanted()) {
      return work();
    }
    ProgressEvent event = new ProgressEvent();
    event.begin();
    int n = work();
    event.ended(engine.rank(), index, n);
    return n;
  }

  /** Whether the caller is inside {@link #progress()}, that is, in a handler. */
  boolean isProgressing() {
    return turn.isMine();
  }

  @Override
  public boolean resume(Operation op) {
    return switch (op.state) {
      case BACKLOG -> {
        partners.look(op.rank);
        if (op.remoteKey != 0) {
          yield op.inPieces ? listTransfers.resume(op) : transfers.resume(op);
        }
        yield op.list == null ? outgoing.resume(op) : listSends.resume(op);
      }
      case RECEIVE_LATER -> receives.resume(op);
      case PULL -> pulls.pull(op);
      case ANSWER -> pulls.handOver(op);
      case DELIVER -> pulls.deliver(op);
      case NOTIFY -> listTransfers.notify(op);
      case END -> {
        tell(op);
        yield true;
      }
      case FINISH -> {
        boolean told = pulls.send(op.rank, op.h0, op.peerOperation);
        if (told) {
          table.give(op);
        }
        yield told;
      }
      default -> throw new IllegalStateException("an operation in the backlog is " + op.state);
    };
  }

  /** Puts an operation into the backlog. */
  void keep(Operation op) {
    watch.backlogged(op.rank, op.state, backlog.length() + 1);
    backlog.push(op);
  }

  /**
   * The thread that has posted an operation, or begun a pull, leaves it under way. If the device
   * was closed meanwhile, who closed it has left it to this thread.
   *
   * @param use its {@link Operation#wireId}, read while it was in hand
   */
  void letGo(Operation op, long use) {
    int peer = op.rank;
    if (op.letGo(use)) {
      if (closed) {
        leftovers.end(op, use);
      }
      partners.look(peer);
    }
  }

  /** Signals the end of an operation and gives it back. */
  void complete(
      Operation op, int rank, int tag, long length, @Nullable CommunicationException error) {
    StatusRecord status = op.status;
    status.local(op, rank, tag, length);
    if (error != null) {
      status.fail(error);
      watch.failed(rank, tag, error);
    }
    watch.completed();
    tell(op);
    engine.fences.wake();
  }

  /** Tells the end of an operation whose status says how it went, and gives it back. */
  void tell(Operation op) {
    Completion done = op.done;
    if (!engine.nesting.enter(done)) {
      EngineDevice home = op.table.device;
      long use = op.wireId();
      op.state = Operation.State.END;
      home.backlog.push(op);
      home.letGo(op, use);
      return;
    }
    // A handler may close the device.
    op.hold();
    try {
      engine.signal(done, op.status);
    } finally {
      engine.nesting.leave(done);
    }
    op.table.give(op);
  }

  /** Signals the end of something that is no operation with a peer. */
  void signalEnd(Completion done, Object what, @Nullable CommunicationException error) {
    Operation op = table.take();
    op.done = done;
    op.context = what;
    complete(op, -1, 0, 0, error);
  }

  /** Something that waited in a matching engine which is being closed. */
  void dropWaiting(Operation op) {
    if (op.state == Operation.State.RECEIVE) {
      complete(op, op.rank, op.tag, 0, Errors.closed(op.rank));
      return;
    }
    if (Frame.kind(op.h0) == Frame.RTS_SEND) {
      pulls.tell(op.rank, op.peerOperation, Pulls.CLOSED);
    }
    engine.release(op.lease);
    table.give(op);
  }

  @Override
  public Backlog backlog() {
    return backlog;
  }

  @Override
  public long pending() {
    long[] n = new long[1];
    table.forEach(
        op -> {
          boolean standing = op.state == Operation.State.RECEIVE && op.done.isStanding();
          if (op.state != Operation.State.ARRIVAL && !standing) {
            n[0]++;
          }
        });
    return n[0];
  }

  @Override
  public boolean isDrained() {
    return !has(op -> op.state.isInFlight());
  }

  @Override
  public void fence() {
    requireOpen();
    engine.fences.awaitLocal(new EngineDevice[] {this}, Waiting.FOREVER);
  }

  @Override
  public boolean fence(Duration limit) {
    requireOpen();
    return engine.fences.awaitLocal(new EngineDevice[] {this}, Waiting.nanos(limit));
  }

  /** Calls with each operation that is not free; a snapshot. */
  void forEachOperation(Consumer<Operation> action) {
    table.forEach(action);
  }

  /** Whether there is such an operation; a snapshot. */
  boolean has(Predicate<Operation> wanted) {
    boolean[] found = new boolean[1];
    table.forEach(op -> found[0] |= wanted.test(op));
    return found[0];
  }

  @Override
  public Counters counters() {
    return watch.counters();
  }

  @Override
  public Info info() {
    return Info.of(
            "device",
            name,
            "index",
            index,
            "closed",
            closed,
            "pending",
            pending(),
            "backlog",
            backlog.length() + " of " + backlog.capacity())
        .with(watch.counters().asMap());
  }

  boolean isClosed() {
    return closed;
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException(
          engine.isOpen() ? "the device is closed" : "the runtime is closed");
    }
  }

  @Override
  public void close() {
    if (index == 0) {
      throw new IllegalStateException("the default device is closed with its runtime");
    }
    engine.deviceClosed(this);
    if (!closed) {
      shut();
      engine.partings.tell(this);
    }
  }

  /** Ends it: waits for the progress call under way, fails what is left. */
  void shut() {
    if (closed) {
      return;
    }
    closed = true;
    if (!isProgressing()) {
      while (!progressLock.tryLock()) {
        Thread.yield();
      }
      // Who comes later finds the device closed.
      progressLock.unlock();
    }
    net.close();
    backlog.shut();
    // What is posted from here on is found here, or its thread finds the device closed.
    VarHandle.fullFence();
    leftovers.endAll();
  }

  @Override
  public String toString() {
    return "Device[" + name + " of rank " + engine.rank() + "]";
  }
}
