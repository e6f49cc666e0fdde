package org.lacis;

/**
 * What a send and a receive must have in common to match. Both sides name the same policy: a send
 * posted with one policy is only matched by receives posted with the same.
 */
public enum MatchingPolicy {
  /**
   * The sender's rank and the tag; the default, and the only one of ordered engines, whose receives
   * may leave either open.
   */
  RANK_TAG,
  /** The sender's rank; the receive takes any tag. */
  RANK_ONLY,
  /** The tag; the receive takes any sender. */
  TAG_ONLY,
  /** What the matching engine's own {@linkplain MatchingOptions#withKey key function} says. */
  CUSTOM
}
