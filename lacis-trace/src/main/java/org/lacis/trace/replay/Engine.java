package org.lacis.trace.replay;

import java.util.Locale;

/** The matching engines of Lacis that a run can be played with. */
public enum Engine {
  /** Two lists, searched from the oldest on: what others are compared with. */
  LIST,
  /** Indexes by what receives leave open; each message is matched by itself. */
  ORDERED,
  /**
   * The same, with messages that arrive one after the other matched in blocks, by several threads.
   */
  BLOCKS;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
