package org.lacis.bench;

/** Where the ranks of a subject run. */
enum Placement {
  /** Each on a core of its own, if there are so many. */
  PINNED,
  /** Where the system puts them. */
  FREE,
  /** All on one core. */
  ONE_CORE
}
