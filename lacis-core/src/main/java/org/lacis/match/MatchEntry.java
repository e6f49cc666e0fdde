package org.lacis.match;

import org.jspecify.annotations.Nullable;

/**
 * Something that waits to be matched: a posted receive or a message that has arrived. The links
 * belong to the matcher while the entry is in it, so that matching allocates nothing.
 */
public abstract class MatchEntry {

  /**
   * What is matched: for a {@link HashMatcher} the matching policy in the two top bits, then what
   * the policy looks at, which must be equal on both sides; for the ordered matchers what {@link
   * OrderedKeys} makes.
   */
  protected long key;

  /** For the ordered matchers: {@link OrderedKeys#hash} of a message, as its sender made it. */
  protected int hash;

  /** Free for the matcher's use. */
  @Nullable MatchEntry next;

  /** Free for the matcher's use. */
  @Nullable MatchEntry tail;

  /** Free for the matcher's use. */
  @Nullable MatchEntry sibling;

  /** Free for the matcher's use: whether this is a receive. */
  boolean receive;

  /** Free for the matcher's use: where it is; {@link #NOWHERE} if it is not in one. */
  int place = NOWHERE;

  static final int NOWHERE = -1;

  /** For subclasses. */
  protected MatchEntry() {}

  /**
   * Which use of this entry it is, if it is used again and again: a number that no other use has.
   * It does not change while the entry is in a matcher.
   */
  protected long use() {
    return 0;
  }
}
