package org.lacis.net.shm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;
import org.lacis.net.TryLock;

/**
 * What a thread needs to copy to and from other processes: the two ranges of a call, and for Java
 * arrays, which may move, a buffer that does not. One thread at a time.
 *
 * <pre>
 * 0  address, length: here (struct iovec)     64  a word to read into
 * 16 address, length: there (struct iovec)
 * </pre>
 */
final class VmDesk {

  private static final int REMOTE = 16;
  private static final int WORD = 64;
  private static final int BYTES = 128;
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
    long done = 0;
    while (done < length) {
      long copied = call(write, pid, local + done, remote + done, length - done);
      if (copied <= 0) {
        return failure((int) -copied);
      }
      done += copied;
    }
    return NetDevice.OK;
  }

  private long call(boolean write, int pid, long local, long remote, long length) {
    Memory.putLong(address, local);
    Memory.putLong(address + 8, length);
    Memory.putLong(address + REMOTE, remote);
    Memory.putLong(address + REMOTE + 8, length);
    return Libc.copy(write, pid, address, address + REMOTE);
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
    long copied =
        call(false, peer.pid, address + WORD, peer.ownAddress + ShmLayout.HEADER_TOKEN, Long.BYTES);
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
