package org.lacis.testkit;

import org.lacis.MatchingPolicy;

/**
 * Something that is on its way in a {@link Model}. Its contents follow from its number, which is
 * also its tag.
 *
 * @param number unlike that of any other
 * @param source who posts it
 * @param peer whom it is for, or whose memory it is about
 * @param size in bytes
 * @param policy how a send finds its receive
 * @param via the number of the matching engine of a send, or of the target of a signal
 * @param place where in the peer's region a put or get goes, in bytes
 */
record Parcel(
    int number,
    Kind kind,
    int source,
    int peer,
    int size,
    MatchingPolicy policy,
    int via,
    long place) {

  /** What it is. */
  enum Kind {
    SEND,
    ACTIVE,
    PUT,
    PUT_SIGNAL,
    GET,
    GET_SIGNAL;

    boolean signals() {
      return this == ACTIVE || this == PUT_SIGNAL || this == GET_SIGNAL;
    }

    boolean puts() {
      return this == PUT || this == PUT_SIGNAL;
    }
  }

  /** Sends of policy CUSTOM are matched by this. */
  static int group(int number) {
    return number >>> 4;
  }

  /** Whether a receive that was posted for one send may get another. */
  boolean mayBeReplacedBy(Parcel other) {
    if (other.kind != kind || other.peer != peer || other.policy != policy || other.via != via) {
      return false;
    }
    return switch (policy) {
      case RANK_TAG, TAG_ONLY -> other.number == number;
      case RANK_ONLY -> other.source == source;
      case CUSTOM -> group(other.number) == group(number);
    };
  }

  /** Whether it is sent as a list; how that is cut follows from its number, for both sides. */
  boolean isList() {
    return (kind == Kind.SEND || kind == Kind.ACTIVE) && number % 4 == 1;
  }

  /** Whether its receive gets this one and no other. */
  boolean isUnique() {
    return policy == MatchingPolicy.RANK_TAG || policy == MatchingPolicy.TAG_ONLY;
  }
}
