package org.lacis.engine;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** Names for objects that were given none: their number among those of their kind. */
final class Names {

  /** That of the objects a runtime is opened with. */
  static final String DEFAULT = "default";

  /** What is named here. */
  enum Kind {
    POOL,
    QUEUE,
    SYNCHRONIZER,
    COUNTER,
    GRAPH,
    REGION
  }

  private final AtomicIntegerArray counts = new AtomicIntegerArray(Kind.values().length);

  String next(Kind kind) {
    return "#" + counts.getAndIncrement(kind.ordinal());
  }
}
