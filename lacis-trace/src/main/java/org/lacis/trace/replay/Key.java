package org.lacis.trace.replay;

/**
 * What is matched.
 *
 * @param comm the communicator
 * @param source the rank of the sender in it; ANY if a receive leaves it open
 * @param tag ANY if a receive leaves it open
 */
record Key(int comm, int source, int tag) {
  boolean isOpen() {
    return source == Steps.ANY || tag == Steps.ANY;
  }

  /** Whether a receive of this key may get a message of another one. */
  boolean mayGet(Key message) {
    return comm == message.comm
        && (source == Steps.ANY || source == message.source)
        && (tag == Steps.ANY || tag == message.tag);
  }

  /** The keys with wildcards of receives that may get a message of this one. */
  Key anySource() {
    return new Key(comm, Steps.ANY, tag);
  }

  Key anyTag() {
    return new Key(comm, source, Steps.ANY);
  }

  Key anything() {
    return new Key(comm, Steps.ANY, Steps.ANY);
  }
}
