package org.lacis.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tables that a person has been shown. What is measured later may move what divides near from
 * far, and a figure of another measure that a target needs; then some of them are not true any
 * more.
 */
final class Shown {
  private record Place(String network, Group group) {}

  private final Map<Place, String> tables = new LinkedHashMap<>();

  /** The table of a group, which is then shown. */
  String table(List<Series> all, String network, Group group) {
    String table = Tables.group(all, network, group);
    tables.put(new Place(network, group), table);
    return table;
  }

  /** The tables that are others by now, under a line that says so; empty if all of them hold. */
  String corrections(List<Series> all) {
    var text = new StringBuilder();
    tables.forEach(
        (place, before) -> {
          String now = Tables.group(all, place.network(), place.group());
          if (!now.equals(before)) {
            text.append(now);
          }
        });
    return text.isEmpty()
        ? ""
        : "with all rounds known, these tables take the place of those above:\n\n" + text;
  }
}
