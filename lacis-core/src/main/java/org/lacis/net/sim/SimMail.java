package org.lacis.net.sim;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.net.PeerEnd;

/** What a device has for the sink of its next poll, in the order it came. */
sealed interface SimMail {

  /** No data. */
  MemorySegment NONE = MemorySegment.ofArray(new byte[0]);

  /**
   * A message.
   *
   * @param link the way it came, one of whose cells it takes until the sink has it
   * @param data the injected payload; {@link #NONE} for a packet and for a notification
   * @param packet the packet it came in
   */
  record Message(SimLink link, long h0, long h1, MemorySegment data, @Nullable SimPacket packet)
      implements SimMail {
    /** It will not be delivered: what it holds is given back. */
    void drop() {
      link.cells--;
      if (packet != null) {
        packet.giveBack();
      }
    }
  }

  /** A put or get has ended. */
  record Completion(long cookie, int result) implements SimMail {}

  /** A peer is gone, and so are all messages from it. */
  record Gone(int peer, PeerEnd how) implements SimMail {}
}
