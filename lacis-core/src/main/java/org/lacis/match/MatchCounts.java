package org.lacis.match;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How messages that were matched in blocks have found their receives.
 *
 * @param blocks how many blocks there were
 * @param optimistic messages that took the receive they had booked, or found none
 * @param conflicts messages that had booked what a message before them had
 * @param forced messages that had no conflict, but looked again since one before them had
 * @param fastPath messages that took the next receive of a sequence instead
 * @param slowPath messages that looked again, after those before them
 * @param passedOver receives that a message did not book, as one before it had (the early check)
 * @param leftForLater receives that were removed after the block, since another thread was at work
 *     in their bin
 */
public record MatchCounts(
    long blocks,
    long optimistic,
    long conflicts,
    long forced,
    long fastPath,
    long slowPath,
    long passedOver,
    long leftForLater) {

  /** All of them by name, in order. */
  public Map<String, Long> asMap() {
    Map<String, Long> map = new LinkedHashMap<>();
    map.put("blocks", blocks);
    map.put("optimistic", optimistic);
    map.put("conflicts", conflicts);
    map.put("forced to look again", forced);
    map.put("fast path", fastPath);
    map.put("slow path", slowPath);
    map.put("passed over", passedOver);
    map.put("left for later", leftForLater);
    return Collections.unmodifiableMap(map);
  }
}
