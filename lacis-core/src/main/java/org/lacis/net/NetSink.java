package org.lacis.net;

/** Who hears of arrivals and completions, from within {@link NetDevice#poll}. */
public interface NetSink {

  /**
   * A message has arrived.
   *
   * @param source the sender
   * @param h0 first header word
   * @param h1 second header word
   * @param address where the payload is
   * @param length its length in bytes
   * @param lease 0 if the payload is valid during this call only; otherwise it fits into 62 bits,
   *     and the payload stays valid until {@link NetContext#release} is called with this value,
   *     which must happen exactly once if the answer is true
   * @return false if it cannot be taken now: it stays where it is and is offered again by a later
   *     poll. Until it is taken, messages behind it from that source are not delivered, nor is that
   *     the source is gone; messages of other sources and completions are
   */
  boolean message(int source, long h0, long h1, long address, int length, long lease);

  /**
   * A put, get or atomic that answered {@link NetDevice#PENDING} has ended.
   *
   * @param cookie what was given to it
   * @param result {@link NetDevice#OK} or a code of -100 and below
   */
  void completed(long cookie, int result);

  /**
   * A peer is gone, dead or closed: everything it had sent has been delivered, nothing more will
   * come from it, and posting to it answers {@link NetDevice#PEER_GONE}. Called once per device and
   * peer.
   *
   * @param peer its rank
   * @param how as far as the network knows
   */
  void peerGone(int peer, PeerEnd how);
}
