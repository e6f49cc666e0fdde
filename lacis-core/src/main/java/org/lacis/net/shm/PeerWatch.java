package org.lacis.net.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Notices peers that have ended: those that closed their context, by a flag in their file, and
 * those whose process has died, each looked at about once a second. Shared by the devices of a
 * context; any thread.
 */
final class PeerWatch {

  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final int rank;
  private final ShmPeer[] peers;
  private final AtomicIntegerArray gone;
  private final AtomicInteger goneCount = new AtomicInteger();

  /** By peer; null if it cannot be watched: it lives in another container, or in this process. */
  private final @Nullable ProcessHandle[] processes;

  private final VmDesk desk = new VmDesk();
  private final AtomicBoolean looking = new AtomicBoolean();
  private final long interval;
  private volatile long due;
  private int next;

  PeerWatch(int rank, ShmPeer[] peers) {
    this.rank = rank;
    this.peers = peers;
    this.gone = new AtomicIntegerArray(peers.length);
    this.processes = new @Nullable ProcessHandle[peers.length];
    this.interval = EVERY_NANOS / peers.length;
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
    return gone.get(peer) != 0;
  }

  /** Looks after the peers. Costs a load for each, and now and then a system call for one. */
  void look() {
    for (ShmPeer peer : peers) {
      if (peer.rank != rank && peer.closedAcquire()) {
        mark(peer.rank);
      }
    }
    long now = System.nanoTime();
    if (now - due >= 0 && looking.compareAndSet(false, true)) {
      try {
        due = now + interval;
        next = next + 1 < peers.length ? next + 1 : 0;
        if (!gone(next) && died(peers[next])) {
          mark(next);
        }
      } finally {
        looking.set(false);
      }
    }
  }

  private void mark(int peer) {
    if (gone.compareAndSet(peer, 0, 1)) {
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
