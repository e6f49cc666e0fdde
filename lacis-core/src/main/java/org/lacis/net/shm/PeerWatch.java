package org.lacis.net.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.lacis.net.PeerEnd;
import org.lacis.net.Silence;

/**
 * Notices peers that have ended: those that closed their context, by a flag in their file; those
 * whose process has died; those that have given no sign of life for the detection time; and those
 * that have given this rank up. All but the first are looked at about once a second. Shared by the
 * devices of a context; any thread.
 */
final class PeerWatch {

  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final int rank;
  private final ShmPeer[] peers;
  private final AtomicReferenceArray<@Nullable PeerEnd> gone;
  private final AtomicInteger goneCount = new AtomicInteger();

  /** By peer; null if it cannot be watched: it lives in another container, or in this process. */
  private final @Nullable ProcessHandle[] processes;

  private final VmDesk desk = new VmDesk();
  private final AtomicBoolean looking = new AtomicBoolean();
  private final long interval;
  private volatile long due;

  // Of the thread that looks.
  private final Silence[] silences;
  private final long[] beats;
  private int next;

  PeerWatch(int rank, ShmPeer[] peers, long detectionNanos) {
    this.rank = rank;
    this.peers = peers;
    this.gone = new AtomicReferenceArray<>(peers.length);
    this.processes = new @Nullable ProcessHandle[peers.length];
    this.interval = Math.max(1, Math.min(EVERY_NANOS, detectionNanos / 4) / peers.length);
    this.beats = new long[peers.length];
    this.silences = new Silence[peers.length];
    Arrays.setAll(silences, _ -> new Silence(detectionNanos));
    this.due = System.nanoTime() + interval;
    long self = ProcessHandle.current().pid();
    for (ShmPeer peer : peers) {
      if (peer.pid != self) {
        // A process of the same number that started at another time is not the peer: numbers are
        // reused, and containers have
        // numbers of their own.
        processes[peer.rank] =
            ProcessHandle.of(peer.pid)
                .filter(process -> ShmPeer.startMillis(process) == peer.started)
                .orElse(null);
      }
    }
  }

  /** How many peers are known to be gone; never falls. */
  int goneCount() {
    return goneCount.get();
  }

  boolean gone(int peer) {
    return gone.get(peer) != null;
  }

  /** Whether a peer may still write somewhere: it is there, though perhaps not for this rank. */
  boolean mayWrite(int peer) {
    PeerEnd how = gone.get(peer);
    return how == null || how == PeerEnd.SILENT || how == PeerEnd.GAVE_UP;
  }

  /** How a peer has gone; null if it has not. */
  @Nullable PeerEnd how(int peer) {
    return gone.get(peer);
  }

  /** Somebody else has found out that a peer is dead. */
  void giveUp(int peer) {
    if (peer != rank) {
      mark(peer, PeerEnd.DIED);
    }
  }

  /** How often this rank has given a sign of life: a clock that costs a load. */
  long beats() {
    return peers[rank].beatsAcquire();
  }

  /** Looks after the peers. Costs a load for each, and now and then a system call for one. */
  void look() {
    for (ShmPeer peer : peers) {
      if (peer.rank != rank && peer.closedAcquire()) {
        mark(peer.rank, PeerEnd.CLOSED);
      }
    }
    long now = System.nanoTime();
    if (now - due >= 0 && looking.compareAndSet(false, true)) {
      try {
        // As many as are due: polls may be far apart.
        long turns = Math.min(peers.length, 1 + (now - due) / interval);
        due = now + interval;
        for (long turn = 0; turn < turns; turn++) {
          next = next + 1 < peers.length ? next + 1 : 0;
          if (next != rank && !gone(next)) {
            look(peers[next], now);
          }
        }
      } finally {
        looking.set(false);
      }
    }
  }

  private void look(ShmPeer peer, long now) {
    long count = peer.beatsAcquire();
    boolean heard = count != beats[peer.rank];
    beats[peer.rank] = count;
    boolean silent = silences[peer.rank].isTooLong(now, heard);
    if (peer.hasGivenUpAcquire(rank)) {
      mark(peer.rank, PeerEnd.GAVE_UP);
    } else if (died(peer)) {
      mark(peer.rank, PeerEnd.DIED);
    } else if (silent) {
      mark(peer.rank, PeerEnd.SILENT);
    }
  }

  private void mark(int peer, PeerEnd how) {
    if (gone.compareAndSet(peer, null, how)) {
      if (how != PeerEnd.CLOSED) {
        peers[rank].giveUpRelease(peer);
      }
      goneCount.incrementAndGet();
    }
  }

  private boolean died(ShmPeer peer) {
    ProcessHandle process = processes[peer.rank];
    if (process == null) {
      return false;
    }
    if (peer.vm) {
      // Cheaper than asking for the process, and right also when it is dead and its parent has not
      // noticed yet.
      long found = desk.probe(peer);
      return found == 1 || found == -Libc.ESRCH || found == -Libc.EFAULT || found == -Libc.EPERM;
    }
    return !process.isAlive() || isZombie(peer.pid);
  }

  /** Whether a process is dead though its number still exists. */
  private static boolean isZombie(int pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Integer.toString(pid), "stat"));
      int state = stat.lastIndexOf(')') + 2;
      return stat.startsWith("Z", state) || stat.startsWith("X", state);
    } catch (IOException e) {
      return false;
    }
  }
}
