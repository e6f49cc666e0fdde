package org.lacis.net.mixed;

import org.jspecify.annotations.Nullable;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;

/** Hears of ranks on other hosts; of those on this one somebody else does. */
final class FarSink implements NetSink {

  private final Hosts hosts;

  /** Who is told; set by each poll, by the polling thread. */
  @Nullable NetSink sink;

  FarSink(Hosts hosts) {
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
    return sink()
        .message(source, h0, h1, address, length, lease == 0 ? 0 : lease | MixedContext.FAR);
  }

  @Override
  public void completed(long cookie, int result) {
    sink().completed(cookie, result);
  }

  @Override
  public void peerGone(int peer, PeerEnd how) {
    if (hosts.near(peer) == Hosts.ELSEWHERE) {
      sink().peerGone(peer, how);
    }
  }
}
