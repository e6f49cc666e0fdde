package org.lacis.net.shm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Membarrier;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;
import org.lacis.net.Padded;

/**
 * Who writes which cell of a ring. Threads claim a cell each, write it and publish it; the reader
 * waits at a cell that is claimed and not published, other writers do not.
 *
 * <p>Claiming takes a lock that is tried and never waited for, by an atomic exchange. That waits
 * until all stores before it have left the core, and as the reader holds the lines they go to, it
 * takes longer than all the rest of a message. So a ring that one thread keeps writing to is biased
 * to it: from then on that thread claims cells by plain stores. Another thread that comes ends the
 * bias, once, with a barrier on all cores. Where the system has no such barrier, there is no bias.
 * This is a {@link org.lacis.net.BiasedLock} whose owner stores once for a cell, and not three
 * times.
 */
abstract class RingClaims extends Padded {

  /** How often in a row a thread claims a cell before the ring is biased to it. */
  private static final int BIAS_AFTER = 256;

  /** How often a bias may be ended before that number stops growing, fourfold each time. */
  private static final int MAX_REVOCATIONS = 8;

  /** How many cells are asked for at once, with every so many messages; a power of two. */
  private static final int AHEAD = 4;

  private static final VarHandle STATE;
  private static final int FREE = 0;
  private static final int HELD = 1;

  /** The owner of the bias claims cells, nobody else. */
  private static final int BIASED = 2;

  /** A thread is ending the bias. */
  private static final int REVOKING = 3;

  /** The bias has ended. The lock is free as soon as it is known what its owner claimed last. */
  private static final int DRAINING = 4;

  /** For good: the peer is gone, or the device closed. */
  private static final int GONE = 5;

  private static final int CLOSED = 6;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(RingClaims.class, "state", int.class);
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

  private volatile int state;

  /** The last bias there was. Changes under the lock. */
  private volatile Bias bias = NOBODYS;

  // Under the lock: the next position; one behind the last there is room for, as far as was seen;
  // and who claimed last, how often in a row.
  private long tail;
  private long room;
  private @Nullable Thread last;
  private int streak;
  private int revocations;

  RingClaims(long ring, RingShape shape) {
    this.ring = ring;
    this.cells = ring + ShmLayout.RING_CELLS;
    this.mask = shape.cells() - 1L;
    this.shift = Integer.numberOfTrailingZeros(shape.cells());
    this.cellShift = shape.cellShift();
    this.room = shape.cells();
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
        if ((position & (AHEAD - 1)) == 0) {
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
    return position < now;
  }

  private long claimLocked() {
    if (!tryLock()) {
      return refusal();
    }
    long position = tail;
    if (position >= room) {
      room = roomAcquire();
    }
    if (position >= room) {
      unlock();
      return whyFull();
    }
    tail = position + 1;
    if (!tryBias()) {
      unlock();
    }
    return position;
  }

  private boolean tryLock() {
    // Looked at first, so that threads that come in vain do not take the line from the one inside.
    int now = state;
    if (now == FREE) {
      return STATE.compareAndSet(this, FREE, HELD);
    }
    if (now == BIASED && STATE.compareAndSet(this, BIASED, REVOKING)) {
      end(bias);
      now = DRAINING;
    }
    // Nothing of the bias is looked at before the lock is held: there may be another one by then,
    // which has ended as well.
    if (now != DRAINING || !STATE.compareAndSet(this, DRAINING, HELD)) {
      return false;
    }
    // The owner may have been in the middle of a claim. If it found the bias standing, the cell is
    // published sooner or later, and what it does behind that ends soon. If not, it takes the claim
    // back.
    long next = bias.nextAcquire();
    if ((next != 0 && !isPublishedAcquire(next - 1)) || bias.isReachingAcquire()) {
      STATE.setRelease(this, DRAINING);
      return false;
    }
    tail = next;
    last = null;
    revocations = Math.min(revocations + 1, MAX_REVOCATIONS);
    return true;
  }

  private void end(Bias now) {
    boolean seen = false;
    try {
      now.ended = true;
      Membarrier.run();
      seen = true;
    } finally {
      STATE.setRelease(this, seen ? DRAINING : BIASED);
    }
  }

  private void unlock() {
    STATE.setRelease(this, FREE);
  }

  /** Instead of {@link #unlock}. False if the ring does not become biased. */
  private boolean tryBias() {
    Thread me = Thread.currentThread();
    if (last != me) {
      last = me;
      streak = 0;
      return false;
    }
    if (++streak < BIAS_AFTER << (2 * revocations) || !Membarrier.works()) {
      return false;
    }
    streak = 0;
    Bias mine = new Bias(me, tail, room);
    mine.reachingRelease(((tail - 1) & (AHEAD - 1)) == 0);
    bias = mine;
    STATE.setRelease(this, BIASED);
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
    return state == GONE ? NetDevice.PEER_GONE : NetDevice.BUSY;
  }

  /** {@link NetDevice#OK}, or why nothing can be sent any more. */
  final int ended() {
    return state < GONE ? NetDevice.OK : refusal();
  }

  /** From now on answers {@link NetDevice#PEER_GONE}. False if a thread claims: try again. */
  final boolean markGone() {
    if (state >= GONE) {
      return true;
    }
    boolean locked = tryLock();
    if (locked) {
      STATE.setRelease(this, GONE);
    }
    return locked;
  }

  /**
   * From now on answers {@link NetDevice#BUSY}; waits until all claimed cells are published. False
   * if that was so before.
   */
  final boolean markClosed() {
    while (!STATE.compareAndSet(this, GONE, CLOSED)) {
      if (state == CLOSED) {
        return false;
      }
      if (tryLock()) {
        STATE.setRelease(this, CLOSED);
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
   * together. They go to a byte without meaning, so it does no harm if a cell is another thread's
   * by now. Only the owner of the bias does so, and the ring does not end before it is through.
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
