package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLongArray;
import org.lacis.CommunicationException;
import org.lacis.net.NetDevice;

/**
 * Dissemination: in round k each rank tells the one 2^k ahead and hears from the one 2^k behind.
 * Messages are counted by round, so that none needs a receive, and those of the next barrier may
 * come early.
 *
 * <p>A rank that leaves because another is gone tells all those who may wait for it, now or in the
 * next barrier, and they do the same: nobody waits for a rank that has given up. Nobody waits,
 * either, once any rank has failed: who has noticed it elsewhere may not come at all.
 */
final class Barrier implements Waiting.Condition {

  private static final int ROUNDS = 31;

  private final Engine engine;
  private final Waiters waiters = new Waiters();
  private final AtomicLongArray heard = new AtomicLongArray(ROUNDS);

  /** A rank that others have given up for; -1 while there is none. */
  private volatile int missing = -1;

  private long epoch;
  private int round;

  Barrier(Engine engine) {
    this.engine = engine;
  }

  /**
   * A message of that round has come.
   *
   * @param lost 0, or a rank that is gone plus 1: the sender has given up
   */
  void arrived(int round, int lost) {
    if (lost > 0) {
      missing = lost - 1;
      waiters.wake();
    } else if (round >= 0 && round < ROUNDS) {
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
    for (int k = 0; 1 << k < engine.size(); k++) {
      round = k;
      int ahead = ahead(k);
      if (!tell(ahead, k, 0)) {
        throw giveUp(ahead);
      }
      engine.waiting().await(this, epoch, waiters, Waiting.FOREVER);
      if (heard.get(k) < epoch) {
        throw giveUp(culprit(k));
      }
    }
  }

  private int culprit(int k) {
    if (missing >= 0) {
      return missing;
    }
    int failed = engine.failures.first();
    return failed >= 0 ? failed : behind(k);
  }

  private int ahead(int k) {
    return (engine.rank() + (1 << k)) % engine.size();
  }

  private int behind(int k) {
    return Math.floorMod(engine.rank() - (1 << k), engine.size());
  }

  /**
   * Barriers use the default device: what a peer has sent by it comes before the news of its end.
   */
  @Override
  public boolean met(long target) {
    return heard.get(round) >= target
        || missing >= 0
        || engine.failures.first() >= 0
        || engine.defaultDevice().isGone(behind(round));
  }

  @Override
  public String describe(long target) {
    int now = round;
    return "barrier " + target + ": rank " + behind(now) + " has not come to round " + now;
  }

  /**
   * Sends the message of a round.
   *
   * @param lost 0, or a rank that is gone plus 1
   * @return false if the peer is gone
   */
  private boolean tell(int rank, int k, int lost) {
    long h0 = Frame.h0(Frame.BARRIER, 0, k, lost);
    NetDevice device = engine.defaultDevice().net();
    int result = device.inject(rank, h0, epoch, MemorySegment.NULL, 0, 0);
    if (result != NetDevice.OK && result != NetDevice.PEER_GONE) {
      Pause pause = new Pause(engine, "room for the barrier's message to rank " + rank);
      try {
        do {
          pause.after(engine.progress());
          result = device.inject(rank, h0, epoch, MemorySegment.NULL, 0, 0);
        } while (result != NetDevice.OK && result != NetDevice.PEER_GONE);
      } finally {
        pause.end();
      }
    }
    return result == NetDevice.OK;
  }

  private CommunicationException giveUp(int lost) {
    for (int k = 0; 1 << k < engine.size(); k++) {
      tell(ahead(k), k, lost + 1);
    }
    return Errors.goneFromBarrier(lost);
  }
}
