package org.lacis.net.mixed;

import org.jspecify.annotations.Nullable;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;

/** Hears of ranks by their numbers on this host. */
final class NearSink implements NetSink {

  private final Hosts hosts;

  /** Who is told; set by each poll, by the polling thread. */
  @Nullable NetSink sink;

  NearSink(Hosts hosts) {
    this.hosts = hosts;
  }

  private NetSink sink() {
    NetSink told = sink;
    if (told == null) {
      throw new IllegalStateException("heard of outside a poll");
    }
    return told;
  }

  @Override
  public boolean message(int source, long h0, long h1, long address, int length, long lease) {
    return sink().message(hosts.rank(source), h0, h1, address, length, lease);
  }

  @Override
  public void completed(long cookie, int result) {
    sink().completed(cookie, result);
  }

  @Override
  public void peerGone(int peer, PeerEnd how) {
    sink().peerGone(hosts.rank(peer), how);
  }
}
