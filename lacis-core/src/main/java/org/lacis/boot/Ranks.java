package org.lacis.boot;

import java.util.BitSet;

/** Sets of ranks as people write them. */
public final class Ranks {
  private Ranks() {}

  /** Such as "rank 3", "ranks 0, 2" or "ranks 0-5, 7"; "no rank" if the set is empty. */
  public static String named(BitSet ranks) {
    int count = ranks.cardinality();
    if (count == 0) {
      return "no rank";
    }
    return (count == 1 ? "rank " : "ranks ") + list(ranks, ", ");
  }

  /** The ranks with a separator between them; three or more in a row are written as a range. */
  public static String list(BitSet ranks, String separator) {
    StringBuilder text = new StringBuilder();
    for (int first = ranks.nextSetBit(0); first >= 0; ) {
      int last = ranks.nextClearBit(first) - 1;
      if (last - first < 2) {
        last = first;
      }
      if (!text.isEmpty()) {
        text.append(separator);
      }
      text.append(first);
      if (last > first) {
        text.append('-').append(last);
      }
      first = ranks.nextSetBit(last + 1);
    }
    return text.toString();
  }
}
