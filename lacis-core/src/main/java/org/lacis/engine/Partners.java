package org.lacis.engine;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import org.lacis.CommunicationException;
import org.lacis.Completion;

/**
 * The devices of the same number at other ranks, and which of them were closed. Long messages that
 * waited there, or come there later, are not answered: their senders learn it here. An answer that
 * was given before may be overtaken by the news, which come by another device; so answers are
 * counted at both ends, and the news say how many there are. Those that came along with the data
 * are counted apart, as more of them may come than the news say: the network may have brought a
 * transfer to its end when the device was closed, though nobody there knew yet.
 */
final class Partners {

  private static final System.Logger LOG = System.getLogger("org.lacis");

  /** How long a thread may take to hand an answer to the network, in nanoseconds. */
  private static final long PATIENCE = 1_000_000_000;

  /** In {@link #given}: a thread hands an answer to the network. */
  private static final long HANDING = 1L << 48;

  /** The bit above the number of answers that came along, of which 31 bits count. */
  private static final long CLOSED = 1L << 63;

  private final EngineDevice device;
  private final OperationTable table;

  /** By peer: answers to it that the network has accepted; above them, those it is just given. */
  private final AtomicLongArray given;

  /** By peer: its answers that have come. */
  private final AtomicIntegerArray seen;

  // The same of answers that came along with the data.
  private final AtomicIntegerArray givenAlong;
  private final AtomicIntegerArray seenAlong;

  /** By peer: 0, or, if its device is closed, {@link #CLOSED} and what {@link #answersTo} says. */
  private final AtomicLongArray ends;

  /** By peer: messages that ended, of which nobody was told. Within progress. */
  private final int[] unheard;

  /** Peers of which that was logged. Within progress. */
  private final BitSet logged = new BitSet();

  private volatile boolean anyEnd;

  /** There may be something to end. */
  private volatile boolean news;

  Partners(EngineDevice device, OperationTable table, int size) {
    this.device = device;
    this.table = table;
    this.given = new AtomicLongArray(size);
    this.seen = new AtomicIntegerArray(size);
    this.givenAlong = new AtomicIntegerArray(size);
    this.seenAlong = new AtomicIntegerArray(size);
    this.ends = new AtomicLongArray(size);
    this.unheard = new int[size];
  }

  /** This thread is going to hand an answer to the network. */
  void answering(int peer) {
    given.getAndAdd(peer, HANDING);
  }

  /** It has done so. */
  void answered(int peer, boolean accepted) {
    given.getAndAdd(peer, accepted ? 1 - HANDING : -HANDING);
  }

  /** The network has given an answer along with data, all of which is here. */
  void answeredAlong(int peer) {
    givenAlong.getAndIncrement(peer);
  }

  /**
   * How many answers a peer gets from this device, which is closed; in the upper half, those along
   * with data.
   */
  long answersTo(int peer) {
    long start = System.nanoTime();
    long now = given.get(peer);
    while (now >= HANDING && System.nanoTime() - start < PATIENCE) {
      Thread.yield();
      now = given.get(peer);
    }
    return (long) givenAlong.get(peer) << 32 | (now & 0xffff_ffffL);
  }

  /** An answer has come. */
  void answerCame(int peer, boolean along) {
    (along ? seenAlong : seen).getAndIncrement(peer);
    look(peer);
  }

  /** A peer has closed its device, after so many answers; any thread. */
  void closed(int peer, long answers) {
    ends.set(peer, answers | CLOSED);
    anyEnd = true;
    news = true;
  }

  /** A message may have been sent to a device that is closed: the next progress call looks. */
  void look(int peer) {
    if (anyEnd && peer >= 0 && ends.get(peer) != 0) {
      news = true;
    }
  }

  boolean hasNews() {
    return news;
  }

  /** Ends the long messages that will not be answered. Within progress. */
  int endUnanswered() {
    news = false;
    int[] count = new int[1];
    table.forEach(
        op -> {
          long use = op.wireId();
          // What a thread still has in hand it looks after itself.
          if (isUnanswered(op.rank) && !op.isInHand(use) && table.claim(op, use)) {
            count[0]++;
            end(op);
          }
        });
    for (int peer = 0; count[0] > 0 && peer < unheard.length; peer++) {
      if (unheard[peer] > 0) {
        log(peer);
      }
    }
    return count[0];
  }

  /** Whether a peer has closed its device, and all its answers have come. */
  private boolean isUnanswered(int peer) {
    long end = peer < 0 ? 0 : ends.get(peer);
    return end != 0
        && seen.get(peer) - (int) end >= 0
        && (seenAlong.get(peer) - (int) (end >>> 32)) << 1 >= 0;
  }

  private void log(int peer) {
    if (!logged.get(peer)) {
      logged.set(peer);
      LOG.log(
          System.Logger.Level.DEBUG,
          "rank {0} has closed its device {1} before it took {2} long message(s) that nobody waits"
              + " for; more of them are not logged",
          peer,
          device.index,
          unheard[peer]);
    }
    unheard[peer] = 0;
  }

  private void end(Operation op) {
    int peer = op.rank;
    int tag = Frame.tag(op.h0);
    CommunicationException error = Errors.deviceClosed(peer, device.index);
    device.requests.deregister(op);
    if (op.done != Completion.NONE) {
      device.complete(op, peer, tag, 0, error);
      return;
    }
    unheard[peer]++;
    device.watch.failed(peer, tag, error);
    device.watch.completed();
    table.give(op);
    device.engine.fences.wake();
  }
}
