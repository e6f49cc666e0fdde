package org.lacis.net.ofi;

import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;

/** The ranks of the job as a device sees them, and which of them are gone. */
final class Roster {

  private static final System.Logger LOG = System.getLogger("org.lacis.net.ofi");

  private final int rank;
  private final Peer[] peers;

  /** Peers that are gone and whom nobody was told of. */
  private int unreported;

  /** Peers whose operations have to be ended: some of those that are gone. */
  private int unsettled;

  private boolean closing;

  Roster(int rank, Peer[] peers) {
    this.rank = rank;
    this.peers = peers;
  }

  Peer[] peers() {
    return peers;
  }

  Peer peer(int number) {
    return peers[number];
  }

  int size() {
    return peers.length;
  }

  /** From how many peers anything has come. */
  int countHeard() {
    int count = 0;
    for (Peer peer : peers) {
      count += peer.heard ? 1 : 0;
    }
    return count;
  }

  /** A peer from which nothing has come, for people to read. */
  String silent() {
    for (Peer peer : peers) {
      if (!peer.heard) {
        return "rank " + peer.rank;
      }
    }
    return "a rank that was heard of once";
  }

  /** Whether all peers have closed this device, or are gone. */
  boolean isDeserted() {
    for (Peer peer : peers) {
      if (peer.rank != rank && !peer.shut && peer.gone == null) {
        return false;
      }
    }
    return true;
  }

  /** Failures are expected from now on. */
  void closing() {
    closing = true;
  }

  /** Libfabric cannot reach a peer. Under the device's lock. */
  void failed(Peer peer, int error) {
    if (peer.gone == null && !closing) {
      LOG.log(
          System.Logger.Level.DEBUG,
          "rank {0} cannot reach rank {1}: {2}",
          rank,
          peer.rank,
          Libfabric.error(error));
    }
    lost(peer, PeerEnd.DIED);
  }

  /** A peer has sent more than it was allowed to. Under the device's lock. */
  void unruly(Peer peer) {
    if (peer.gone == null) {
      LOG.log(
          System.Logger.Level.WARNING,
          "rank {0} gives up rank {1}, as it has sent more than there was room for, or parts that"
              + " are no packet",
          rank,
          peer.rank);
    }
    lost(peer, PeerEnd.DIED);
  }

  /** A peer is dead, or as good as that. Under the device's lock. */
  void lost(Peer peer, PeerEnd how) {
    // What has not come by now does not come any more.
    peer.leaving = false;
    gone(peer, how);
  }

  /** A peer has said goodbye. Under the device's lock. */
  void left(Peer peer, int last) {
    if (peer.gone == null) {
      peer.leaving = true;
      peer.last = last;
      gone(peer, PeerEnd.CLOSED);
    }
  }

  private void gone(Peer peer, PeerEnd how) {
    if (peer.gone == null) {
      peer.gone = how;
      unreported++;
      unsettled++;
    }
  }

  /** How many peers have gone whose operations have to be ended; it is none afterwards. */
  int takeUnsettled() {
    int count = unsettled;
    unsettled = 0;
    return count;
  }

  /** Tells of those that are gone and of whom nothing more is to be delivered. Polling thread. */
  int report(NetSink sink) {
    if (unreported == 0) {
      return 0;
    }
    int count = 0;
    for (Peer peer : peers) {
      PeerEnd how = peer.gone;
      if (how != null && !peer.reported && peer.isDelivered()) {
        peer.reported = true;
        unreported--;
        count++;
        sink.peerGone(peer.rank, how);
      }
    }
    return count;
  }
}
