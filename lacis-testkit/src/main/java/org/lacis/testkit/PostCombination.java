package org.lacis.testkit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lacis.Direction;
import org.lacis.MatchingPolicy;

/**
 * One choice of everything a post can be given.
 *
 * @param allowDone null if it is not said
 */
record PostCombination(
    Direction direction,
    Remote remote,
    boolean target,
    Local local,
    boolean immediate,
    boolean synchronous,
    @Nullable Boolean allowDone,
    boolean allowPosted,
    boolean allowRetry,
    MatchingPolicy policy,
    boolean pool) {

  /** The remote buffer. */
  enum Remote {
    NONE,
    REGION,
    PLACES
  }

  /** The local buffer. */
  enum Local {
    NONE,
    BUFFER,
    LIST,
    LIST_WITH_PIGGYBACK,
    PACKET,
    ANY_LENGTH
  }

  private static final boolean[] BOTH = {false, true};

  /** Every one of them. */
  static List<PostCombination> all() {
    List<PostCombination> all = new ArrayList<>();
    for (Direction direction : Direction.values()) {
      for (Remote remote : Remote.values()) {
        for (Local local : Local.values()) {
          for (MatchingPolicy policy : List.of(MatchingPolicy.RANK_TAG, MatchingPolicy.TAG_ONLY)) {
            for (int bits = 0; bits < 1 << 8; bits++) {
              all.add(of(direction, remote, local, policy, bits));
            }
          }
        }
      }
    }
    return all;
  }

  private static PostCombination of(
      Direction direction, Remote remote, Local local, MatchingPolicy policy, int bits) {
    return new PostCombination(
        direction,
        remote,
        BOTH[bits & 1],
        local,
        BOTH[bits >> 1 & 1],
        BOTH[bits >> 2 & 1],
        BOTH[bits >> 3 & 1] ? null : Boolean.valueOf(BOTH[bits >> 7 & 1]),
        BOTH[bits >> 4 & 1],
        BOTH[bits >> 5 & 1],
        policy,
        BOTH[bits >> 6 & 1]);
  }

  private boolean in() {
    return direction == Direction.IN;
  }

  boolean transfers() {
    return remote != Remote.NONE;
  }

  boolean isReceive() {
    return in() && !transfers();
  }

  boolean isSend() {
    return !in() && !transfers() && !target;
  }

  /** How long its message is, of so many bytes that all buffers have. */
  long length(long bytes) {
    return local == Local.NONE ? 0 : bytes;
  }

  /** Why it is refused, one or several reasons, as the message has it; empty if it works. */
  List<String> refusals() {
    List<String> why = new ArrayList<>();
    boolean list = local == Local.LIST || local == Local.LIST_WITH_PIGGYBACK;
    boolean packet = local == Local.PACKET;
    add(why, isReceive() && target, "remote completion");
    add(why, local == Local.NONE && (in() || transfers()), "a buffer is needed");
    add(why, packet && (in() || transfers()), "not a packet");
    add(why, local == Local.ANY_LENGTH && !isReceive(), "anyLength is for receives");
    add(why, local == Local.ANY_LENGTH && Boolean.TRUE.equals(allowDone), "anyLength needs");
    add(
        why,
        local == Local.LIST_WITH_PIGGYBACK && transfers() && !target,
        "piggyback of a put or get needs");
    add(why, remote == Remote.PLACES && !list, "2 places, but no list");
    add(why, policy != MatchingPolicy.RANK_TAG && (transfers() || target), "matching is for");
    add(why, immediate && !target, "immediate data needs");
    add(why, synchronous && in(), "synchronous is for");
    add(why, synchronous && packet, "cannot be sent synchronous");
    add(why, pool && (in() || transfers()), "a pool is for");
    add(why, pool && packet, "knows its pool");
    add(why, !allowPosted && (in() || transfers()), "allowPosted(false) is for");
    boolean contradicts = Boolean.FALSE.equals(allowDone) || !allowRetry || synchronous;
    add(why, !allowPosted && contradicts, "with allowPosted(false)");
    return why;
  }

  private static void add(List<String> why, boolean condition, String reason) {
    if (condition) {
      why.add(reason);
    }
  }
}
