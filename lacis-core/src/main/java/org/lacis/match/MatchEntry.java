package org.lacis.match;

import org.jspecify.annotations.Nullable;

/**
 * Something that waits to be matched: a posted receive or a message that has arrived. The links
 * belong to the matcher while the entry is in it, so that matching allocates nothing.
 */
public abstract class MatchEntry {

  /**
   * What both sides must have in common: the matching policy in the two top bits, then what the
   * policy looks at.
   */
  protected long key;

  /** Free for the matcher's use. */
  @Nullable MatchEntry next;

  /** Free for the matcher's use. */
  @Nullable MatchEntry tail;

  /** Free for the matcher's use. */
  @Nullable MatchEntry sibling;

  /** Free for the matcher's use: whether this is a receive. */
  boolean receive;

  /** For subclasses. */
  protected MatchEntry() {}
}
