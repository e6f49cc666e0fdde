package org.lacis.bench;

/** Subjects that targets name together. */
enum Family {
  /** What this is about. */
  LACIS,
  /** The limit: memory, without a library. */
  MEMORY,
  /** Libraries that implement MPI. */
  MPI,
  /** Aeron. */
  AERON,
  /** Libfabric, used without anything on top of it. */
  FABRIC;

  /** Whether it is a library that others might use instead. */
  boolean isPeer() {
    return this != LACIS && this != MEMORY;
  }
}
