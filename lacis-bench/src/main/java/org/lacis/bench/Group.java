package org.lacis.bench;

import java.util.Locale;

/** What is measured together, by the name it has on the command line. */
public enum Group {
  /** One message to and fro. */
  LATENCY,
  /** Short messages one after the other. */
  RATE,
  /** Long messages one after the other. */
  BANDWIDTH,
  /** Short messages of several threads, or processes, at once. */
  THREADS,
  /** Receives and messages that have to find each other. */
  MATCHING,
  /** Packet pool, matching engine and completion queue, alone. */
  RESOURCES,
  /** Puts and gets. */
  RMA,
  /** What all ranks do together. */
  COLLECTIVES,
  /** From the command to its end, and two ranks on one core. */
  STARTUP;

  /** The name on the command line. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
