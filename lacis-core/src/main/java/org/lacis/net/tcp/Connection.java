package org.lacis.net.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;
import org.lacis.net.Silence;

/** A connection of a device with the same device of one peer. */
final class Connection implements Link {

  /** Polls without anything until it sleeps, if somebody watches it meanwhile. */
  private static final int QUIET_POLLS = 64;

  private static final System.Logger LOG = System.getLogger("org.lacis.net.tcp");

  private final TcpContext context;
  private final int device;
  private final int peer;
  private final Wire wire;
  private final Requests requests = new Requests();
  private final Arrivals arrivals;
  private final Leases leases;
  private final Decoder decoder;
  private final Inbox inbox;
  private final Outbox outbox;
  // The polling thread's.
  private final Silence silence;
  private boolean silent;
  private boolean watched;
  private boolean asleep;
  private int quiet;
  private boolean ending;
  private boolean ended;

  private boolean closed;

  Connection(TcpContext context, PollMark polling, int device, int peer, Wire wire) {
    TcpOptions options = context.options();
    this.context = context;
    this.device = device;
    this.peer = peer;
    this.wire = wire;
    this.silence = new Silence(context.detectionNanos());
    this.arrivals = new Arrivals(context.memory(), context.window());
    this.leases = context.newLeases();
    Credit credit = new Credit();
    this.decoder =
        new Decoder(
            peer, context.keys(), leases, requests, arrivals, options.unreadBytes(), credit);
    this.inbox = new Inbox(wire.bytes(), decoder, context.memory(), options.bufferBytes());
    this.outbox = new Outbox(wire.bytes(), requests, decoder, credit, polling, context);
  }

  Outbox outbox() {
    return outbox;
  }

  @Override
  public int inject(long h0, long h1, MemorySegment payload, long offset, int length) {
    return outbox.inject(h0, h1, payload, offset, length);
  }

  @Override
  public int mark(long h0, long h1) {
    return outbox.mark(h0, h1);
  }

  @Override
  public int packet(long h0, long h1, long address, int length) {
    return outbox.packet(h0, h1, address, length);
  }

  @Override
  public int transfer(
      int kind,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      int operation,
      long operand,
      long expected,
      long h0,
      long h1,
      long cookie) {
    return outbox.transfer(
        kind, local, offset, length, key, keyOffset, operation, operand, expected, h0, h1, cookie);
  }

  @Override
  public int poll(NetSink sink, int limit) {
    if (asleep || ended) {
      return 0;
    }
    int count = 0;
    if (!arrivals.isEmpty()) {
      count = arrivals.deliver(sink, peer, limit);
      decoder.tookWaiting(count);
    }
    if (!ending) {
      count += inbox.poll(sink, limit - count);
      quiet = inbox.isQuiet() && arrivals.isEmpty() ? quiet + 1 : 0;
      asleep = watched && quiet > QUIET_POLLS && !inbox.isEnded();
    }
    if (inbox.isEnded() && !decoder.isClosed()) {
      count += end(sink);
    }
    return count;
  }

  /** Has it watched: from now on it sleeps when nothing comes, until it is woken. */
  void watch(Selector selector) throws IOException {
    wire.socket().register(selector, SelectionKey.OP_READ, this);
    watched = true;
  }

  /** There is something to read; whether it was asleep. */
  boolean wake() {
    boolean was = asleep;
    asleep = false;
    quiet = 0;
    return was;
  }

  @Override
  public boolean flush() {
    boolean sent = outbox.poll();
    return inbox.takeMoved() || sent;
  }

  /**
   * The connection has ended: transfers end now, and that the peer is gone is told behind its last
   * message; or, if it has closed this device only, when it goes.
   */
  private int end(NetSink sink) {
    int count = 0;
    if (!ending) {
      ending = true;
      complain();
      outbox.end(NetDevice.PEER_GONE);
      context.keeper().forget(this);
      if (!decoder.isDeviceClosed()) {
        context.gone(peer, how());
      }
      count = requests.abandon(sink);
      shut();
    }
    PeerEnd how = context.howGone(peer);
    if (!ended && arrivals.isEmpty() && how != null) {
      ended = true;
      sink.peerGone(peer, how);
    }
    return count;
  }

  private PeerEnd how() {
    return decoder.saidGoodbye() ? PeerEnd.CLOSED : silent ? PeerEnd.SILENT : PeerEnd.DIED;
  }

  private void complain() {
    String what =
        inbox.forged() == null ? decoder.violation() : "what is not of TLS: " + inbox.forged();
    if (what != null) {
      LOG.log(
          System.Logger.Level.WARNING,
          "rank {0} ends its connection with rank {1} on device {2}, as it has sent {3}",
          context.rank(),
          peer,
          device,
          what);
    }
  }

  private void shut() {
    try {
      wire.socket().close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "closing a connection with rank " + peer, e);
    }
  }

  /** Looks whether the peer is still there. The polling thread's, after it has read. */
  void look(long now) {
    silent |= silence.isTooLong(now, inbox.heard());
    if (silent || context.isGivenUp(peer)) {
      inbox.giveUp();
      wake();
    }
  }

  @Override
  public void close() {
    synchronized (requests) {
      if (closed) {
        return;
      }
      closed = true;
    }
    decoder.close();
    @Nullable Writer rest = outbox.end(NetDevice.BUSY);
    arrivals.close(leases::release);
    inbox.close();
    context.giveBack(leases);
    context.keeper().forget(this);
    if (rest != null) {
      // The first device is closed with its runtime, a little before the context.
      boolean deviceOnly = device > 0 && !context.isClosed();
      context.keeper().bid(new Farewell(wire.socket(), rest, deviceOnly));
    }
  }
}
