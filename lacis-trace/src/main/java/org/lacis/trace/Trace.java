package org.lacis.trace;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

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
}
