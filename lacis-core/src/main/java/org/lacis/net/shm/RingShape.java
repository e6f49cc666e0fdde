package org.lacis.net.shm;

/**
 * What a ring looks like.
 *
 * @param cells how many cells it has, a power of two
 * @param cellShift the logarithm of the length of a cell
 */
record RingShape(int cells, int cellShift) {

  /** A cache line. */
  private static final int MIN_SHIFT = 6;

  /** A ring whose cells have room for a payload of so many bytes, at least. */
  static RingShape of(int cells, int injectBytes) {
    int shift = MIN_SHIFT;
    while ((1 << shift) - ShmLayout.CELL_PAYLOAD < injectBytes) {
      shift++;
    }
    return new RingShape(cells, shift);
  }

  /** The most bytes that fit into a cell. */
  int injectLimit() {
    return (1 << cellShift) - ShmLayout.CELL_PAYLOAD;
  }

  /** What the ring takes, in bytes. */
  long bytes() {
    return ShmLayout.RING_CELLS + ((long) cells << cellShift);
  }
}
