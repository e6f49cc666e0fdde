package org.lacis.net.sim;

import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.lacis.net.PeerEnd;

/** Which ranks are gone, and who knows of it. */
final class SimDeaths {

  private final SimFabric fabric;

  /** Ranks that are gone. */
  private final BitSet gone = new BitSet();

  /** How ranks have gone of which this is known. */
  private final Map<Integer, PeerEnd> noticed = new TreeMap<>();

  SimDeaths(SimFabric fabric) {
    this.fabric = fabric;
  }

  boolean isGone(int rank) {
    return gone.get(rank);
  }

  /** A rank dies. To itself it looks as if all others were gone. */
  void kill(int rank) {
    if (!gone.get(rank)) {
      depart(rank, PeerEnd.DIED);
      fabric.wire.notice(
          () ->
              fabric
                  .ports(rank)
                  .forEach(
                      port -> others(rank).forEach(peer -> port.peerGone(peer, PeerEnd.DIED))));
    }
  }

  /** A rank is gone from now on; the others hear of it a little later. */
  void depart(int rank, PeerEnd how) {
    if (!gone.get(rank)) {
      gone.set(rank);
      fabric.wire.notice(() -> announce(rank, how));
    }
  }

  private void announce(int rank, PeerEnd how) {
    noticed.put(rank, how);
    SimContext context = fabric.context(rank);
    if (context != null) {
      context.returnLeases();
    }
    others(rank).forEach(peer -> fabric.ports(peer).forEach(port -> port.peerGone(rank, how)));
  }

  /** Tells a new device what the others have heard. */
  void tell(SimPort port) {
    noticed.forEach(
        (peer, how) -> {
          if (peer != port.rank) {
            port.peerGone(peer, how);
          }
        });
  }

  private IntStream others(int rank) {
    return IntStream.range(0, fabric.options().ranks()).filter(peer -> peer != rank);
  }
}
