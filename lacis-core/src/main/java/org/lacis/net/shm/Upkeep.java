package org.lacis.net.shm;

import java.util.Objects;
import org.lacis.net.NetSink;
import org.lacis.net.Padded;

/**
 * What a device does now and then while it polls: it finds out which peers are gone, and winds up
 * what was shared with them.
 */
final class Upkeep extends Padded {

  /**
   * Polls between two looks, at most; those who poll rarely look whenever this rank's own pulse
   * beats.
   */
  private static final int EVERY = 64;

  private final int rank;
  private final PeerWatch watch;
  private final PacketReturns returns;
  private final RingProducer[] out;
  private final RingConsumer[] in;
  private final Inbox inbox;
  private final Pipeline pipeline;
  private final boolean[] reported;
  private int reportedCount;
  private int polls;
  private long beats;

  Upkeep(
      int rank,
      PeerWatch watch,
      PacketReturns returns,
      RingProducer[] out,
      RingConsumer[] in,
      Inbox inbox,
      Pipeline pipeline) {
    this.rank = rank;
    this.watch = watch;
    this.returns = returns;
    this.out = out;
    this.in = in;
    this.inbox = inbox;
    this.pipeline = pipeline;
    this.reported = new boolean[out.length];
  }

  /** Whether it is time again. */
  boolean due() {
    long beaten = watch.beats();
    if (beaten != beats) {
      beats = beaten;
      return true;
    }
    return (++polls & (EVERY - 1)) == 0;
  }

  /** Does it. Answers how many completions were reported. */
  int run(NetSink sink) {
    watch.look();
    int count = 0;
    if (watch.goneCount() != reportedCount) {
      for (int peer = 0; peer < reported.length; peer++) {
        if (!reported[peer] && watch.gone(peer)) {
          count += windUp(peer, sink);
        }
      }
    }
    if (pipeline.active()) {
      for (int peer = 0; peer < out.length; peer++) {
        if (out[peer].readerClosedAcquire()) {
          count += Math.max(0, pipeline.abandon(peer, sink));
        }
      }
    }
    return count;
  }

  /** Ends everything with a peer, or as much as is possible now; the rest is done next time. */
  private int windUp(int peer, NetSink sink) {
    if (!out[peer].markGone()) {
      return 0;
    }
    int ended = pipeline.abandon(peer, sink);
    // What it sent before it went comes first. A thread that is writing to it just now may have a
    // packet in hand.
    if (ended >= 0 && !in[peer].hasMessage() && out[peer].isSettled()) {
      out[peer].recover(returns, rank, peer);
      // One that was only silent may wake up, and write on.
      inbox.forget(in[peer]);
      in[peer].close(returns, rank);
      reported[peer] = true;
      reportedCount++;
      sink.peerGone(peer, Objects.requireNonNull(watch.how(peer)));
    }
    return Math.max(0, ended);
  }
}
