package org.lacis.trace.depth;

/** Which wildcards a receive has. */
public enum Wildcards {
  /** None: the source and the tag are given. */
  NONE,
  /** Any source. */
  SOURCE,
  /** Any tag. */
  TAG,
  /** Any source and any tag. */
  BOTH;

  static final int COUNT = values().length;
  private static final Wildcards[] ALL = values();

  /** Those of a receive. */
  public static Wildcards of(boolean anySource, boolean anyTag) {
    return ALL[(anySource ? 1 : 0) + (anyTag ? 2 : 0)];
  }
}
