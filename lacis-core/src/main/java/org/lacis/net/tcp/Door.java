package org.lacis.net.tcp;

import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetException;

/**
 * Where peers of lower rank connect to. Who proves to be one is kept until the device it comes for
 * is opened; others are dropped, the first one with a warning.
 */
final class Door implements Runnable, AutoCloseable {

  /** Connections that are being looked at; more have to wait. */
  static final int MOST_GUESTS = 64;

  /** How long one of them may stay when there are no more places. */
  private static final long CROWDED_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long LOOK_MILLIS = 100;

  /** How many devices a peer may be ahead. */
  private static final int MOST_AHEAD = 1024;

  private final ServerSocketChannel listener;
  private final System.Logger log;
  private final Proof proof;
  private final @Nullable Tls tls;
  private final int rank;
  private final int size;
  private final Duration limit;

  /** Those who have not proven anything yet, the oldest first. */
  private final Deque<Guest> guests = new ConcurrentLinkedDeque<>();

  private final Semaphore places = new Semaphore(MOST_GUESTS);
  private final AtomicBoolean warned = new AtomicBoolean();

  // Under the lock of this.
  private final Map<Handshake.Hello, Wire> met = new HashMap<>();
  private int devices;
  private boolean closed;

  private record Guest(SocketChannel socket, long since) {}

  /**
   * Makes one.
   *
   * @param tls null if connections are plain
   * @param limit how long a peer may take to prove that it is one
   */
  Door(
      ServerSocketChannel listener,
      System.Logger log,
      Proof proof,
      @Nullable Tls tls,
      int rank,
      int size,
      Duration limit) {
    this.log = log;
    this.listener = listener;
    this.proof = proof;
    this.tls = tls;
    this.rank = rank;
    this.size = size;
    this.limit = limit;
  }

  /** Lets peers in from now on. */
  void open() {
    Thread.ofPlatform().daemon().name("lacis-tcp-door-" + rank).start(this);
  }

  @Override
  public void run() {
    while (listener.isOpen()) {
      try {
        awaitPlace();
        Guest guest = accept();
        Thread.ofVirtual().name("lacis-tcp-guest").start(() -> receive(guest));
      } catch (InterruptedException e) {
        return; // nobody does that
      } catch (IOException e) {
        if (listener.isOpen()) {
          // No descriptors, or a connection that was reset at once: the next may do.
          warn("cannot accept a connection", e);
          Thread.yield();
        }
      }
    }
  }

  /**
   * Waits until another one can be looked at. A peer may be slow, as on a machine that is busy, and
   * strangers may be silent, which nobody can tell apart: only those who are in the way have to go.
   */
  private void awaitPlace() throws InterruptedException {
    while (!places.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      Guest oldest = guests.peekFirst();
      if (oldest != null
          && System.nanoTime() - oldest.since > CROWDED_NANOS
          && guests.remove(oldest)) {
        shut(oldest.socket);
      }
    }
  }

  private Guest accept() throws IOException {
    try {
      Guest guest = new Guest(listener.accept(), System.nanoTime());
      guests.addLast(guest);
      return guest;
    } catch (IOException e) {
      places.release();
      throw e;
    }
  }

  private void receive(Guest guest) {
    try {
      Patience patience = Patience.until(guest.since + limit.toNanos());
      Line line = Line.of(tls, guest.socket, false, patience);
      var handshake = new Handshake(line, proof);
      byte[] said = handshake.hear();
      Handshake.Hello hello = Handshake.Hello.of(said);
      check(hello);
      handshake.accept(said);
      if (!guests.remove(guest)) {
        throw new IOException("it took too long");
      }
      handshake.welcome();
      keep(hello, line.wire());
    } catch (IOException | RuntimeException e) {
      // Of the latter nothing is known; but it is the JDK that reads what strangers say of TLS.
      drop(guest.socket, e);
    } finally {
      guests.remove(guest);
      places.release();
    }
  }

  private synchronized void check(Handshake.Hello hello) throws IOException {
    if (hello.to() != rank
        || hello.size() != size
        || hello.from() < 0
        || hello.from() >= rank
        || hello.device() < devices
        || hello.device() >= devices + MOST_AHEAD
        || met.containsKey(hello)) {
      throw new IOException("nobody waits for " + hello);
    }
  }

  private synchronized void keep(Handshake.Hello hello, Wire guest) throws IOException {
    if (closed || met.putIfAbsent(hello, guest) != null) {
      throw new IOException("nobody waits for " + hello + " any more");
    }
    notifyAll();
  }

  private void drop(SocketChannel guest, Exception why) {
    String who = "somebody";
    try {
      who = String.valueOf(guest.getRemoteAddress());
    } catch (IOException e) {
      why.addSuppressed(e);
    }
    warn("drops a connection from " + who, why);
    shut(guest);
  }

  private void warn(String what, Exception why) {
    boolean first = warned.compareAndSet(false, true);
    log.log(
        first ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG,
        "rank {0} {1}: {2}{3}",
        rank,
        what,
        why.getMessage(),
        first ? "; more of the kind are not logged" : "");
  }

  /** Waits for a peer. */
  synchronized Wire await(int peer, int device, Patience patience) throws IOException {
    var hello = new Handshake.Hello(peer, rank, device, size);
    while (true) {
      Wire wire = met.remove(hello);
      if (wire != null) {
        return wire;
      }
      if (patience.isOver() || closed) {
        throw new NetException("rank " + peer + " has not opened device " + device + " in time");
      }
      try {
        wait(patience.slice());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new NetException("interrupted while waiting for rank " + peer, e);
      }
    }
  }

  /** All have come for this device. */
  synchronized void done(int device) {
    devices = device + 1;
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
    shut(listener);
    met.values().forEach(wire -> shut(wire.socket()));
    met.clear();
  }

  private void shut(Channel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      log.log(System.Logger.Level.DEBUG, "closing", e);
    }
  }
}
