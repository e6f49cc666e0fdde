package org.lacis.net.shm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.lacis.net.Biased;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;

/**
 * Who writes which cell of a ring. Threads claim a cell each, write it and publish it; the reader
 * waits at a cell that is claimed and not published, other writers do not.
 *
 * <p>Claiming takes a lock that is tried and never waited for, and that is biased to a thread that
 * keeps writing. To that one a claim is a single store, of the position that comes next, where a
 * {@link org.lacis.net.BiasedLock} would take three.
 */
abstract class RingClaims extends Biased {

  /** How many cells are asked for at once, with every so many messages; a power of two. */
  private static final int AHEAD = 4;

  /** After so many messages, at the soonest, the way of a cache line is measured again. */
  private static final int PROBE_EVERY = 1024;

  /** Cores that share a cache get a line from each other in less, others do not. */
  static final int FAR_NANOS = 150;

  private static final VarHandle END;
  private static final int NONE = 0;
  private static final int GONE = 1;
  private static final int CLOSED = 2;

  static {
    try {
      END = MethodHandles.lookup().findVarHandle(RingClaims.class, "end", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final Bias NOBODYS = new Bias(null, 0, 0);

  private final long ring;
  private final long cells;
  private final long mask;
  private final int shift;
  private final int cellShift;
  private final int farNanos;

  /** Whether the peer is gone, or the device closed: then the lock is held for good. */
  private volatile int end;

  /** The last bias there was. Changes under the lock. */
  private volatile Bias bias = NOBODYS;

  // Under the lock: the next position; one behind the last there is room for, as far as was seen.
  private long tail;
  private long room;

  RingClaims(long ring, RingShape shape, int farNanos) {
    this.ring = ring;
    this.cells = ring + ShmLayout.RING_CELLS;
    this.mask = shape.cells() - 1L;
    this.shift = Integer.numberOfTrailingZeros(shape.cells());
    this.cellShift = shape.cellShift();
    this.room = shape.cells();
    this.farNanos = farNanos;
  }

  /**
   * Takes the next cell. It must be published, soon and in any case.
   *
   * @return its position, or a negative code of {@link NetDevice}
   */
  final long claim() {
    // Written so that compilers inline this much and no more: a call alone costs several stores.
    Bias mine = bias;
    if (mine.owner == Thread.currentThread() && !mine.ended) {
      long position = mine.next;
      if (position >= mine.room && !hasRoom(mine, position)) {
        return whyFull();
      }
      if (mine.claim(position)) {
        if ((position & (AHEAD - 1)) == 0 && mine.far) {
          mine.reachingRelease(true);
        }
        return position;
      }
    }
    return claimLocked();
  }

  private boolean hasRoom(Bias mine, long position) {
    long now = roomAcquire();
    mine.room = now;
    // If so much has been read lately, the cells to come are in the reader's cache.
    if (position >= mine.probe && now - position > mask >> 1) {
      mine.probe = position + PROBE_EVERY;
      mine.far = isFar(position + AHEAD);
    }
    return position < now;
  }

  /** Whether a cell that the reader has takes long to come. It stays as it is. */
  private boolean isFar(long position) {
    // The messages before it are not to be timed as well.
    VarHandle.fullFence();
    long begin = System.nanoTime();
    Memory.getAndAddLong(cell(position), 0);
    return System.nanoTime() - begin > farNanos;
  }

  private long claimLocked() {
    if (!exchange()) {
      return refusal();
    }
    long position = tail;
    if (position >= room) {
      room = roomAcquire();
    }
    if (position >= room) {
      release();
      return whyFull();
    }
    tail = position + 1;
    releaseOrBias();
    return position;
  }

  /** To a thread that has claimed the cell before the tail, and publishes it yet. */
  @Override
  protected final void bias(Thread owner) {
    bias = new Bias(owner, tail, room);
  }

  @Override
  protected final void endBias() {
    bias.ended = true;
  }

  /**
   * A cell that its owner has claimed is published sooner or later, what it does then ends soon.
   */
  @Override
  protected final boolean takeOver() {
    long next = bias.nextAcquire();
    if ((next != 0 && !isPublishedAcquire(next - 1)) || bias.isReachingAcquire()) {
      return false;
    }
    tail = next;
    return true;
  }

  /** One behind the last position there is room for; 0 if the reader has closed. */
  private long roomAcquire() {
    return Memory.getLongAcquire(ring + ShmLayout.RING_HEAD) + mask + 1;
  }

  private int whyFull() {
    return readerClosedAcquire() ? NetDevice.PEER_GONE : NetDevice.FULL;
  }

  /** Whether the peer has closed its device: it will never read again. */
  final boolean readerClosedAcquire() {
    return Memory.getLongAcquire(ring + ShmLayout.RING_HEAD) == ShmLayout.HEAD_CLOSED;
  }

  /** Why there is no claim: the peer is gone; or another thread is at it, or the device closed. */
  private int refusal() {
    return end == GONE ? NetDevice.PEER_GONE : NetDevice.BUSY;
  }

  /** {@link NetDevice#OK}, or why nothing can be sent any more. */
  final int ended() {
    return end == NONE ? NetDevice.OK : refusal();
  }

  /** From now on answers {@link NetDevice#PEER_GONE}. False if a thread claims: try again. */
  final boolean markGone() {
    if (end != NONE) {
      return true;
    }
    boolean locked = exchange();
    if (locked) {
      end = GONE;
    }
    return locked;
  }

  /**
   * From now on answers {@link NetDevice#BUSY}; waits until all claimed cells are published. False
   * if that was so before.
   */
  final boolean markClosed() {
    while (!END.compareAndSet(this, GONE, CLOSED)) {
      if (end == CLOSED) {
        return false;
      }
      if (exchange()) {
        end = CLOSED;
        break;
      }
      Thread.yield();
    }
    while (!isSettled()) {
      Thread.yield();
    }
    return true;
  }

  /** Whether all claimed cells are published. Only when the ring has ended. */
  final boolean isSettled() {
    for (long position = oldest(); position < tail; position++) {
      if (!isPublishedAcquire(position)) {
        return false;
      }
    }
    return true;
  }

  /** The oldest position whose cell has not been used again. Only when the ring has ended. */
  final long oldest() {
    return Math.max(0, tail - mask - 1);
  }

  /** One behind the last position that was claimed. Only when the ring has ended. */
  final long newest() {
    return tail;
  }

  final boolean isPublishedAcquire(long position) {
    return ShmLayout.arrived(Memory.getLongAcquire(cell(position)), position, shift);
  }

  final void publishRelease(long position, int kind, int length) {
    Memory.putLongRelease(cell(position), ShmLayout.control(position, shift, kind, length));
    if ((position & (AHEAD - 1)) == 0) {
      reachAhead(position + 1);
    }
  }

  /**
   * Asks for the next few cells. The reader has them in its cache, so a store into a cell waits for
   * it, and as stores happen in order, so do all behind it: with a dozen stores a message hardly
   * two cells are on their way at once. Stores into several cells, one behind the other, bring them
   * together, which pays if the way is long. They go to a byte without meaning, so it does no harm
   * if a cell is another thread's by now. Only the owner of the bias does so, and the ring does not
   * end before it is through.
   */
  private void reachAhead(long position) {
    Bias mine = bias;
    // Not behind a cell claimed under the lock after the bias has ended: nobody would wait for it.
    if (mine.owner == Thread.currentThread() && mine.isReachingAcquire()) {
      for (int i = 0; i < AHEAD; i++) {
        Memory.putByte(cell(position + i) + ShmLayout.CELL_SPARE, (byte) 0);
      }
      mine.reachingRelease(false);
    }
  }

  final long cell(long position) {
    return cells + ((position & mask) << cellShift);
  }

  final long ring() {
    return ring;
  }
}
