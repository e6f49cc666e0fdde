package org.lacis.bench;

import java.util.Locale;

/**
 * How far the two cores were from each other in a round, by the time a cache line took between them
 * before it and after it. A virtual machine may have its cores moved at any time.
 */
enum State {
  /** The lesser of two times that were found. */
  NEAR,
  /** The greater. */
  FAR,
  /** One before, the other after. */
  MIXED,
  /** There was but one time in all of the run. */
  STEADY;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The state of a round.
   *
   * @param parting the time that divides near from far, or NaN if nothing does
   */
  static State of(double before, double after, double parting) {
    if (Double.isNaN(parting) || Double.isNaN(before) || Double.isNaN(after)) {
      return STEADY;
    }
    boolean nearBefore = before < parting;
    boolean nearAfter = after < parting;
    return nearBefore != nearAfter ? MIXED : nearBefore ? NEAR : FAR;
  }
}
