package org.lacis.bench;

/**
 * How the ranks of a subject are started.
 *
 * @param ranks how many
 * @param placement where
 * @param threaded whether several threads of a rank will communicate
 */
record Setup(int ranks, Placement placement, boolean threaded) {
  static Setup of(Measure measure) {
    return new Setup(measure.ranks(), measure.placement(), measure.threaded());
  }
}
