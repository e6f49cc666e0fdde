package org.lacis.engine;

import org.lacis.Lacis;

/** What is checked of a peer, and of the length of what goes there, before anything is posted. */
final class PeerChecks {

  private final EngineDevice device;
  private final int size;
  private final long transferLimit;

  PeerChecks(EngineDevice device, Engine engine) {
    this.device = device;
    this.size = engine.size();
    this.transferLimit = engine.context().transferLimit();
  }

  void rank(int rank) {
    rank(rank, size);
  }

  static void rank(int rank, int size) {
    if (rank < 0 || rank >= size) {
      throw new IllegalArgumentException(
          "rank must be 0 to "
              + (size - 1)
              + ", but is "
              + rank
              + (rank == Lacis.ANY_SOURCE ? ", ANY_SOURCE, which is for receives" : "")
              + (size == 1 ? "; this job has one rank: start more with lacis run -n" : ""));
    }
  }

  /** Refuses a peer that is known to be gone; one that has just gone may still be posted to. */
  void peer(int rank) {
    rank(rank);
    if (device.isGone(rank)) {
      throw device.engine.failures.error(rank);
    }
  }

  void limit(long length) {
    if (length > transferLimit) {
      throw new IllegalArgumentException(
          "buffer is "
              + length
              + " bytes, but this network moves at most "
              + transferLimit
              + " at once");
    }
  }
}
