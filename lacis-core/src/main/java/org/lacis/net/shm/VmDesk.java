package org.lacis.net.shm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;
import org.lacis.net.TryLock;

/**
 * What a thread needs to copy to and from other processes: the ranges of a call, and for Java
 * arrays, which may move, a buffer that does not. One thread at a time.
 *
 * <pre>
 * 0     64 × address, length: here (struct iovec)     2048  a word to read into
 * 1024  64 × address, length: there (struct iovec)
 * </pre>
 */
final class VmDesk {

  private static final int RANGE = 16;
  private static final int REMOTE = JointRanges.MAX * RANGE;
  private static final int WORD = 2 * REMOTE;
  private static final int BYTES = WORD + ShmLayout.APART;
  private static final int BOUNCE = 64 * 1024;

  private final TryLock lock = new TryLock();
  private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, ShmLayout.APART);
  private final long address = memory.address();
  private @Nullable MemorySegment bounce;

  /** Makes it this thread's, if it is nobody's. */
  boolean take() {
    return lock.tryLock();
  }

  /** Ends that. */
  void leave() {
    lock.unlock();
  }

  /**
   * Copies from or to memory of a peer that it has granted and that is held; as the other.
   *
   * @param grant where it is
   */
  int move(boolean write, ShmPeer peer, long grant, MemorySegment local, long offset, long length) {
    long place = Grant.place(grant);
    long remote = Grant.kind(grant) == Grant.SHARED ? peer.ownAddress + place : place;
    return orGone(move(write, peer.pid, remote, local, offset, length), peer);
  }

  /** How a copy went: a process that dies has no memory any more, or does not let others at it. */
  int orGone(int result, ShmPeer peer) {
    return result == NetDevice.NO_ACCESS && probe(peer) != 0 ? NetDevice.PEER_GONE : result;
  }

  /**
   * Copies.
   *
   * @param write whether the other process's memory is written, or read
   * @param remote the address there
   * @return {@link NetDevice#OK}, {@link NetDevice#NO_MEMORY}, {@link NetDevice#NO_ACCESS} or
   *     {@link NetDevice#PEER_GONE}
   */
  int move(boolean write, int pid, long remote, MemorySegment local, long offset, long length) {
    if (local.isNative()) {
      return direct(write, pid, local.address() + offset, remote, length);
    }
    long buffer = bounce();
    for (long done = 0; done < length; ) {
      long chunk = Math.min(BOUNCE, length - done);
      if (write) {
        Memory.copyIn(local, offset + done, buffer, chunk);
      }
      int result = direct(write, pid, buffer, remote + done, chunk);
      if (result != NetDevice.OK) {
        return result;
      }
      if (!write) {
        Memory.copyOut(buffer, local, offset + done, chunk);
      }
      done += chunk;
    }
    return NetDevice.OK;
  }

  /** As {@link #move}, between native memory. */
  int direct(boolean write, int pid, long local, long remote, long length) {
    range(0, local, remote, length);
    return moveRanges(write, pid, 1);
  }

  /** Sets one of the ranges of {@link #moveRanges}. */
  void range(int index, long local, long remote, long length) {
    set(address + (long) index * RANGE, local, length);
    set(address + REMOTE + (long) index * RANGE, remote, length);
  }

  private static void set(long range, long start, long length) {
    Memory.putLong(range, start);
    Memory.putLong(range + 8, length);
  }

  /** Copies the first so many ranges. As {@link #move}. */
  int moveRanges(boolean write, int pid, int count) {
    int first = 0;
    while (first < count) {
      long start = address + (long) first * RANGE;
      long copied = Libc.copy(write, pid, start, start + REMOTE, count - first);
      if (copied <= 0) {
        return failure((int) -copied);
      }
      first = skip(first, count, copied);
    }
    return NetDevice.OK;
  }

  /** Leaves out what was copied; answers the first range of which something is left. */
  private int skip(int first, int count, long copied) {
    long rest = copied;
    for (int i = first; i < count; i++) {
      long here = address + (long) i * RANGE;
      long length = Memory.getLong(here + 8);
      if (rest < length) {
        range(i, Memory.getLong(here) + rest, Memory.getLong(here + REMOTE) + rest, length - rest);
        return i;
      }
      rest -= length;
    }
    return count;
  }

  private static int failure(int errno) {
    return switch (errno) {
      case Libc.ESRCH -> NetDevice.PEER_GONE;
      case Libc.ENOMEM -> NetDevice.NO_MEMORY;
      default -> NetDevice.NO_ACCESS; // EFAULT: registered, but not mapped any more
    };
  }

  /**
   * Reads the token of a peer out of its own process.
   *
   * @return 0 if it is there, 1 if something else is (it is another process), or the negated errno
   */
  long probe(ShmPeer peer) {
    range(0, address + WORD, peer.ownAddress + ShmLayout.HEADER_TOKEN, Long.BYTES);
    long copied = Libc.copy(false, peer.pid, address, address + REMOTE, 1);
    if (copied < 0) {
      return copied;
    }
    return copied == Long.BYTES && Memory.getLong(address + WORD) == peer.token ? 0 : 1;
  }

  /** Made at first use: most programs never transfer a Java array. */
  private long bounce() {
    MemorySegment buffer = bounce;
    if (buffer == null) {
      buffer = Arena.ofAuto().allocate(BOUNCE, ShmLayout.PAGE);
      bounce = buffer;
    }
    return buffer.address();
  }
}
