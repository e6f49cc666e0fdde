package org.lacis;

/** Which way the data goes, seen from the rank that posts. */
public enum Direction {
  /** From this rank to the peer: send, active message, put. */
  OUT,
  /** From the peer to this rank: receive, get. */
  IN
}
