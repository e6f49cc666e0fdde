package org.lacis.trace.replay;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What calls make of groups of ranks. */
final class GroupMath {
  private GroupMath() {}

  /** The ranks of the new group; null if they cannot be known. */
  static int @Nullable [] apply(Making making, int[] from, int @Nullable [] other) {
    return switch (making.call()) {
      case "Comm_group", "Comm_remote_group" -> from;
      case "Group_incl" -> include(from, ranks(making));
      case "Group_excl" -> exclude(from, ranks(making));
      case "Group_range_incl" -> include(from, ranges(ranks(making)));
      case "Group_range_excl" -> exclude(from, ranges(ranks(making)));
      case "Group_union" ->
          other == null
              ? null
              : IntStream.concat(Arrays.stream(from), Arrays.stream(other)).distinct().toArray();
      case "Group_intersection" -> other == null ? null : filter(from, other, true);
      case "Group_difference" -> other == null ? null : filter(from, other, false);
      default -> null;
    };
  }

  private static int[] ranks(Making making) {
    return making.numbers().stream().mapToInt(Integer::intValue).toArray();
  }

  private static int @Nullable [] include(int[] from, int[] ranks) {
    int[] result = new int[ranks.length];
    for (int i = 0; i < ranks.length; i++) {
      if (ranks[i] < 0 || ranks[i] >= from.length) {
        return null;
      }
      result[i] = from[ranks[i]];
    }
    return result;
  }

  private static int[] exclude(int[] from, int[] ranks) {
    Set<Integer> gone = new LinkedHashSet<>();
    Arrays.stream(ranks).forEach(gone::add);
    return IntStream.range(0, from.length)
        .filter(i -> !gone.contains(i))
        .map(i -> from[i])
        .toArray();
  }

  /** The ranks of ranges: first, last, step. */
  private static int[] ranges(int[] triples) {
    var ranks = new Ints();
    for (int i = 0; i + 2 < triples.length; i += 3) {
      int step = triples[i + 2];
      for (int r = triples[i];
          step > 0 ? r <= triples[i + 1] : step < 0 && r >= triples[i + 1];
          r += step) {
        ranks.add(r);
      }
    }
    return IntStream.range(0, ranks.size()).map(ranks::get).toArray();
  }

  private static int[] filter(int[] from, int[] other, boolean in) {
    Set<Integer> known = new LinkedHashSet<>();
    Arrays.stream(other).forEach(known::add);
    return Arrays.stream(from).filter(rank -> known.contains(rank) == in).toArray();
  }
}
