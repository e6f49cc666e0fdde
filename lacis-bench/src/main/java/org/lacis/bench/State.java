package org.lacis.bench;

import java.util.List;
import java.util.Locale;

/**
 * How far the two cores were from each other in a round, by the time a cache line took between them
 * before and after each of its samples. A virtual machine may have its cores moved at any time.
 */
enum State {
  /** The lesser of two times that were found. */
  NEAR,
  /** The greater. */
  FAR,
  /** One at one time, the other at another. */
  MIXED,
  /** There was but one time in all of the run. */
  STEADY;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The state of a round.
   *
   * @param bounces the times of a cache line in it
   * @param parting the time that divides near from far, or NaN if nothing does
   */
  static State of(List<Double> bounces, double parting) {
    if (Double.isNaN(parting) || bounces.stream().anyMatch(bounce -> bounce.isNaN())) {
      return STEADY;
    }
    boolean near = bounces.stream().anyMatch(bounce -> bounce < parting);
    boolean far = bounces.stream().anyMatch(bounce -> bounce >= parting);
    return near && far ? MIXED : far ? FAR : NEAR;
  }
}
