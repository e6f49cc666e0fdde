package org.lacis.trace.depth;

/** Is told how far an analysis is. Called by several threads, though not at the same time. */
@FunctionalInterface
public interface Progress {
  /** Tells nobody. */
  Progress NONE = (done, all) -> {};

  /** So many bytes of so many have been read. */
  void at(long done, long all);
}
