package org.lacis.trace;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A trace of a program: what each of its ranks did.
 *
 * @param name what it is called: that of its folder
 * @param path where it is
 * @param format the name of its format
 * @param size how many ranks the program had
 * @param ranks those there are files of, by rank
 * @param properties what is known of the run, such as the host
 * @param warnings what is wrong with the trace as a whole, such as ranks without a file
 */
public record Trace(
    String name,
    Path path,
    String format,
    int size,
    List<RankTrace> ranks,
    Map<String, String> properties,
    List<String> warnings) {

  /** Makes one; lists and maps are copied. */
  public Trace {
    ranks = List.copyOf(ranks);
    warnings = List.copyOf(warnings);
    properties = Map.copyOf(properties);
  }

  /** Ranks of the program that there is no file of. */
  public List<Integer> missing() {
    return missing(size, ranks.stream().map(RankTrace::rank).collect(Collectors.toSet()));
  }

  /** A warning that names the ranks without a file; none if all have one. */
  public static List<String> warnOfMissing(int size, Set<Integer> there) {
    List<Integer> missing = missing(size, there);
    return missing.isEmpty()
        ? List.of()
        : List.of(
            "%s of %,d %s no file"
                .formatted(RankList.text(missing), size, missing.size() == 1 ? "has" : "have"));
  }

  private static List<Integer> missing(int size, Set<Integer> there) {
    return IntStream.range(0, size).filter(rank -> !there.contains(rank)).boxed().toList();
  }
}
