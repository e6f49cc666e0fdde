package org.lacis;

/**
 * What a program promises not to need of an ordered matching engine, which saves work. All ranks
 * give an engine the same hints.
 *
 * @param noAnySource no receive has {@link Lacis#ANY_SOURCE}: they are refused, and messages are
 *     not kept by tag alone
 * @param noAnyTag no receive has {@link Lacis#ANY_TAG}: they are refused, and messages are not kept
 *     by sender alone
 * @param allowOvertaking messages of one sender may overtake each other: they are not numbered, and
 *     an early one does not wait for those before it
 */
public record MatchingHints(boolean noAnySource, boolean noAnyTag, boolean allowOvertaking) {

  /** Everything may be needed. */
  public static final MatchingHints NONE = new MatchingHints(false, false, false);

  /** The same, and no receive has {@link Lacis#ANY_SOURCE}. */
  public MatchingHints withNoAnySource() {
    return new MatchingHints(true, noAnyTag, allowOvertaking);
  }

  /** The same, and no receive has {@link Lacis#ANY_TAG}. */
  public MatchingHints withNoAnyTag() {
    return new MatchingHints(noAnySource, true, allowOvertaking);
  }

  /** The same, and messages may overtake each other. */
  public MatchingHints withAllowOvertaking() {
    return new MatchingHints(noAnySource, noAnyTag, true);
  }
}
