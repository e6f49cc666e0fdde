package org.lacis.net.shm;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetPieces;

/**
 * The puts and gets of a device, each in the quickest way that reaches the memory: a plain copy,
 * one by the kernel, or, together with the peer, through the {@link Pipeline}.
 */
final class Copies {

  private final int rank;
  private final ShmPeer[] peers;
  private final boolean mapped;
  private final RingProducer[] out;
  private final VmDesks desks;
  private final Pipeline pipeline;

  Copies(
      int rank,
      ShmPeer[] peers,
      boolean mapped,
      RingProducer[] out,
      VmDesks desks,
      Pipeline pipeline) {
    this.rank = rank;
    this.peers = peers;
    this.mapped = mapped;
    this.out = out;
    this.desks = desks;
    this.pipeline = pipeline;
  }

  /** As {@link NetDevice#put} and {@link NetDevice#get}. */
  int post(
      boolean put,
      int peer,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie) {
    Objects.checkFromIndexSize(offset, length, local.byteSize());
    RingProducer ring = out[peer];
    int ended = ring.ended();
    if (ended != NetDevice.OK) {
      return ended;
    }
    ShmPeer target = peers[peer];
    long grant =
        Grant.hold(target.table, key, keyOffset, length, put ? NetContext.WRITE : NetContext.READ);
    if (grant == Grant.REFUSED) {
      return NetDevice.NO_ACCESS;
    }
    try {
      if (length > 0 && !reaches(target, grant)) {
        return pipeline.post(
            put, 0, 0, 0, peer, local, offset, length, key, keyOffset, h0, h1, cookie);
      }
      boolean shared = length >= Pipeline.MIN && peer != rank && target.vm;
      boolean plain = shared && isPlain(grant, local, offset, length);
      if (shared) {
        requireAlive(local);
        if (pipeline.share(
            put, plain, peer, local, offset, length, key, keyOffset, h0, h1, cookie)) {
          return NetDevice.PENDING;
        }
      }
      long start = shared && !plain ? System.nanoTime() : 0;
      int result =
          h0 == 0
              ? copy(put, target, grant, local, offset, length)
              : copyAndNotify(put, target, grant, local, offset, length, ring, h0, h1);
      if (shared && !plain && result == NetDevice.OK) {
        pipeline.took(peer, length, System.nanoTime() - start);
      }
      return result;
    } finally {
      Grant.release(target.table, key);
    }
  }

  /** As {@link NetDevice#move}: a few bytes, to or from memory that is mapped here. */
  int move(
      boolean put,
      int peer,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset) {
    if (!mapped || length >= Pipeline.MIN || out[peer].ended() != NetDevice.OK) {
      return NetDevice.BUSY;
    }
    ShmPeer target = peers[peer];
    long grant =
        Grant.hold(target.table, key, keyOffset, length, put ? NetContext.WRITE : NetContext.READ);
    if (grant == Grant.REFUSED) {
      return NetDevice.BUSY;
    }
    try {
      if (Grant.kind(grant) != Grant.SHARED) {
        return NetDevice.BUSY;
      }
      moveMapped(put, target, grant, local, offset, length);
      return NetDevice.OK;
    } finally {
      Grant.release(target.table, key);
    }
  }

  /**
   * Starts a copy of the next pieces, as many as both sides can reach, which they do together.
   *
   * @return false if there are not two, or they are too short, or it is not possible now
   */
  boolean join(boolean put, int peer, NetPieces pieces, long cookie) {
    ShmPeer target = peers[peer];
    if (peer == rank || !target.vm || out[peer].ended() != NetDevice.OK) {
      return false;
    }
    int first = pieces.next();
    int limit = Math.min(pieces.count(), first + JointRanges.MAX);
    int end = first;
    long length = 0;
    boolean plain = false;
    for (; end < limit; end++) {
      long grant = ask(put, target, pieces, end);
      if (!reachedByBoth(put, grant, pieces.local(end))) {
        break;
      }
      plain |= isPlain(grant, pieces.local(end), pieces.offset(end), pieces.length(end));
      length += pieces.length(end);
    }
    int count = end - first;
    if (count < 2
        || length < JointCopy.MIN
        || !pipeline.join(put, plain, peer, pieces, count, length, cookie)) {
      return false;
    }
    pieces.advance(count);
    return true;
  }

  private static long ask(boolean put, ShmPeer target, NetPieces pieces, int piece) {
    return Grant.ask(
        target.table,
        pieces.key(piece),
        pieces.keyOffset(piece),
        pieces.length(piece),
        put ? NetContext.WRITE : NetContext.READ);
  }

  private static boolean reachedByBoth(boolean put, long grant, MemorySegment local) {
    return local.isNative()
        && (put || !local.isReadOnly())
        && local.scope().isAlive()
        && grant != Grant.REFUSED
        && Grant.kind(grant) != Grant.SERVED;
  }

  /** Whether this rank can do the copy itself. */
  private boolean reaches(ShmPeer target, long grant) {
    int kind = Grant.kind(grant);
    return (kind == Grant.SHARED && mapped) || (kind != Grant.SERVED && target.vm);
  }

  /** Whether one side can do the copy without the kernel. */
  private boolean isPlain(long grant, MemorySegment local, long offset, long length) {
    return mapped
        && (Grant.kind(grant) == Grant.SHARED
            || (local.isNative() && peers[rank].contains(local.address() + offset, length)));
  }

  private static void requireAlive(MemorySegment local) {
    if (local.isNative() && !local.scope().isAlive()) {
      throw new IllegalStateException("the arena of the local segment is closed");
    }
  }

  /** Takes a cell for the notification first, as nothing may have happened when there is none. */
  private int copyAndNotify(
      boolean put,
      ShmPeer target,
      long grant,
      MemorySegment local,
      long offset,
      long length,
      RingProducer ring,
      long h0,
      long h1) {
    long position = ring.claim();
    if (position < 0) {
      return (int) position;
    }
    int result = NetDevice.NO_ACCESS;
    try {
      result = copy(put, target, grant, local, offset, length);
    } finally {
      if (result == NetDevice.OK) {
        ring.publishMessage(position, h0, h1);
      } else {
        ring.publishNothing(position);
      }
    }
    return result;
  }

  private int copy(
      boolean put, ShmPeer target, long grant, MemorySegment local, long offset, long length) {
    if (length == 0) {
      return NetDevice.OK;
    }
    if (Grant.kind(grant) != Grant.SHARED || !mapped) {
      requireAlive(local);
      VmDesk desk = desks.take();
      if (desk == null) {
        return NetDevice.BUSY;
      }
      try {
        return desk.move(put, target, grant, local, offset, length);
      } finally {
        desk.leave();
      }
    }
    moveMapped(put, target, grant, local, offset, length);
    return NetDevice.OK;
  }

  private static void moveMapped(
      boolean put, ShmPeer target, long grant, MemorySegment local, long offset, long length) {
    long place = target.address + Grant.place(grant);
    if (put) {
      Memory.copyIn(local, offset, place, length);
    } else {
      Memory.copyOut(place, local, offset, length);
    }
  }
}
