package org.lacis;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a device has done since it was made; a snapshot, taken while it goes on, so that sums of two
 * counts may be off by what was under way.
 *
 * <p>{@link #posts}, {@link #completed} and {@link #injected} are counted with {@link
 * LacisOptions#withCounters} only, and are 0 otherwise: all else is counted where it costs nothing
 * that could be measured.
 *
 * @param everything whether those three are counted
 * @param posts what was posted and not answered with a retry
 * @param completed operations that were signalled to a completion object
 * @param injected messages sent inside a frame
 * @param copied messages sent in a packet
 * @param zeroCopied messages that their receivers were asked to fetch
 * @param put what was put into regions of peers
 * @param got what was got from regions of peers
 * @param atomics words of peers' regions that were changed or fetched in one step
 * @param receivedInline messages that came inside a frame
 * @param receivedInPackets messages that came in a packet; of a list, its table of parts is counted
 *     too
 * @param fetched messages fetched from their senders without a copy
 * @param unexpected messages, and requests to fetch one, that came before their receive
 * @param early messages that came before the completion object or matching engine they are for
 * @param retries how often a post was answered with each {@code RETRY_*}
 * @param backlogged operations put into the backlog
 * @param failed operations that ended with an error
 * @param polls progress calls that found nobody else at it
 * @param emptyPolls those among them that had nothing to do
 */
public record Counters(
    boolean everything,
    Posts posts,
    long completed,
    Traffic injected,
    Traffic copied,
    Traffic zeroCopied,
    Traffic put,
    Traffic got,
    long atomics,
    Traffic receivedInline,
    Traffic receivedInPackets,
    Traffic fetched,
    long unexpected,
    long early,
    Map<Post, Long> retries,
    long backlogged,
    long failed,
    long polls,
    long emptyPolls) {

  private static final String NOT_COUNTED = "not counted";

  /** Copies. */
  public Counters {
    retries = Collections.unmodifiableMap(new TreeMap<>(retries));
  }

  /**
   * Messages and their payload.
   *
   * @param messages how many
   * @param bytes of payload, all together
   */
  public record Traffic(long messages, long bytes) {
    @Override
    public String toString() {
      return messages + ", " + bytes + " bytes";
    }
  }

  /**
   * Posts by kind.
   *
   * @param sends sends
   * @param receives receives
   * @param actives active messages
   * @param puts puts, with a signal or without
   * @param gets gets, with a signal or without
   * @param atomics atomics, with a signal or without
   */
  public record Posts(long sends, long receives, long actives, long puts, long gets, long atomics) {

    /** None at all. */
    public static final Posts NONE = new Posts(0, 0, 0, 0, 0, 0);

    @Override
    public String toString() {
      return "%d sends, %d receives, %d active messages, %d puts, %d gets, %d atomics"
          .formatted(sends, receives, actives, puts, gets, atomics);
    }
  }

  /**
   * All of them by name, in order; retries by reason, where there were any. What is not counted
   * says so.
   */
  public Map<String, Object> asMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("posts", everything ? posts : NOT_COUNTED);
    map.put("completed", everything ? completed : NOT_COUNTED);
    map.put("injected", everything ? injected : NOT_COUNTED);
    map.put("copied", copied);
    map.put("zero-copied", zeroCopied);
    map.put("put", put);
    map.put("got", got);
    map.put("atomics", atomics);
    map.put("received inline", receivedInline);
    map.put("received in packets", receivedInPackets);
    map.put("fetched", fetched);
    map.put("unexpected", unexpected);
    map.put("early", early);
    for (Post reason : Post.values()) {
      if (retries.getOrDefault(reason, 0L) != 0) {
        map.put(reason.name().toLowerCase(Locale.ROOT).replace('_', ' '), retries.get(reason));
      }
    }
    map.put("backlogged", backlogged);
    map.put("failed", failed);
    map.put("polls", polls);
    map.put("empty polls", emptyPolls);
    return Collections.unmodifiableMap(map);
  }
}
