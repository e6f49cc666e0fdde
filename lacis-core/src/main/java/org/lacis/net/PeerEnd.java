package org.lacis.net;

/** How a peer has gone. */
public enum PeerEnd {
  /** It has closed its context, in good order. */
  CLOSED,
  /**
   * Its process, or its connection, has ended without a word; or it has given this rank up, and the
   * network does not tell one from the other.
   */
  DIED,
  /** It has given this rank up, which was silent for too long. */
  GAVE_UP,
  /** There was no sign of life from it for the detection time: it is stopped or cut off. */
  SILENT
}
