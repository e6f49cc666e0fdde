package org.lacis.trace;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Ranks, in words. */
public final class RankList {
  private static final int MOST = 8;

  private RankList() {}

  /** Such as "rank 3" or "ranks 1, 4 and 5"; of many, the first and how many there are. */
  public static String text(Collection<Integer> ranks) {
    List<String> shown = ranks.stream().sorted().limit(MOST).map(String::valueOf).toList();
    if (ranks.size() == 1) {
      return "rank " + shown.getFirst();
    }
    if (ranks.size() > MOST) {
      return "%,d ranks (%s, …)".formatted(ranks.size(), String.join(", ", shown));
    }
    int last = shown.size() - 1;
    return shown.stream().limit(last).collect(Collectors.joining(", ", "ranks ", " and "))
        + shown.get(last);
  }
}
