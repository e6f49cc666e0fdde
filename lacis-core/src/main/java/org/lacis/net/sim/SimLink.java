package org.lacis.net.sim;

/** The way from one rank to a device of another. Made when first used. */
final class SimLink {

  /** Who sends. */
  final int source;

  /** Messages that were posted and that no sink has taken, notifications to come included. */
  int cells;

  /** How much is between the two devices. */
  int flying;

  /** When the latest arrives, for order, in nanoseconds. */
  long lastArrival;

  /** The source is gone: this has to be told once nothing is flying any more. */
  boolean closing;

  SimLink(int source) {
    this.source = source;
  }
}
