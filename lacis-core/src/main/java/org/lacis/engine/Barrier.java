package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLongArray;
import org.lacis.CommunicationException;
import org.lacis.ErrorKind;
import org.lacis.Idle;
import org.lacis.net.NetDevice;

/**
 * Dissemination: in round k each rank tells the one 2^k ahead and hears from the one 2^k behind.
 * Messages are counted by round, so that none needs a receive, and those of the next barrier may
 * come early.
 *
 * <p>A rank that finds another gone goes through its remaining rounds all the same, and says who is
 * gone: the way by which all would have heard of the missing one is the way by which they hear that
 * it is missing.
 */
final class Barrier implements Waiting.Condition {

  private static final int ROUNDS = 31;

  private final Engine engine;
  private final Waiters waiters = new Waiters();
  private final AtomicLongArray heard = new AtomicLongArray(ROUNDS);
  private long epoch;
  private int round;

  /** The rank that is gone, + 1; 0 while none is known to be. It stays: a barrier needs all. */
  private volatile int missing;

  Barrier(Engine engine) {
    this.engine = engine;
  }

  /**
   * A message of that round has come.
   *
   * @param gone the rank that its sender knows to be gone, + 1; 0 if none
   */
  void arrived(int round, int gone) {
    if (round >= 0 && round < ROUNDS) {
      if (gone > 0 && gone <= engine.size()) {
        missing = gone;
      }
      heard.incrementAndGet(round);
      waiters.wake();
    }
  }

  /** A peer is gone: whoever waits looks again. */
  void wake() {
    waiters.wake();
  }

  synchronized void await() {
    epoch++;
    int size = engine.size();
    for (int k = 0; 1 << k < size; k++) {
      round = k;
      int ahead = (engine.rank() + (1 << k)) % size;
      tell(ahead, k);
      engine.waiting().await(this, epoch, waiters, Waiting.FOREVER);
      if (heard.get(k) < epoch) {
        missing = behind(k) + 1;
      }
    }
    if (missing != 0) {
      throw gone(missing - 1);
    }
  }

  private int behind(int k) {
    return Math.floorMod(engine.rank() - (1 << k), engine.size());
  }

  @Override
  public boolean met(long target) {
    return heard.get(round) >= target || engine.isGone(behind(round));
  }

  private void tell(int rank, int k) {
    long h0 = Frame.h0(Frame.BARRIER, 0, k, missing);
    NetDevice device = engine.defaultDevice().net();
    Idle idle = engine.newIdle();
    int result;
    while ((result = device.inject(rank, h0, epoch, MemorySegment.NULL, 0, 0)) != NetDevice.OK) {
      if (result == NetDevice.PEER_GONE) {
        missing = rank + 1;
        return;
      }
      engine.requireOpen();
      idle.after(engine.progress());
    }
  }

  private static CommunicationException gone(int rank) {
    return new CommunicationException(
        ErrorKind.PEER_GONE, rank, "barrier: rank " + rank + " is gone");
  }
}
