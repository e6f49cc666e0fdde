package org.lacis.net.sim;

import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Which ranks are gone, and who knows of it. */
final class SimDeaths {

  private final SimFabric fabric;

  /** Ranks that are gone. */
  private final BitSet gone = new BitSet();

  /** Ranks of which this is known. */
  private final BitSet noticed = new BitSet();

  SimDeaths(SimFabric fabric) {
    this.fabric = fabric;
  }

  boolean isGone(int rank) {
    return gone.get(rank);
  }

  /** A rank dies. To itself it looks as if all others were gone. */
  void kill(int rank) {
    if (!gone.get(rank)) {
      depart(rank);
      fabric.wire.notice(
          () ->
              fabric
                  .ports(rank)
                  .forEach(port -> others(rank, peer -> true).forEach(port::peerGone)));
    }
  }

  /** A rank is gone from now on; the others hear of it a little later. */
  void depart(int rank) {
    if (!gone.get(rank)) {
      gone.set(rank);
      fabric.wire.notice(() -> announce(rank));
    }
  }

  private void announce(int rank) {
    noticed.set(rank);
    SimContext context = fabric.context(rank);
    if (context != null) {
      context.returnLeases();
    }
    others(rank, peer -> true)
        .forEach(peer -> fabric.ports(peer).forEach(port -> port.peerGone(rank)));
  }

  /** Tells a new device what the others have heard. */
  void tell(SimPort port) {
    others(port.rank, noticed::get).forEach(port::peerGone);
  }

  private IntStream others(int rank, IntPredicate which) {
    return IntStream.range(0, fabric.options().ranks())
        .filter(peer -> peer != rank && which.test(peer));
  }
}
