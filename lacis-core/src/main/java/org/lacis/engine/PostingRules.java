package org.lacis.engine;

import java.util.List;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.Counter;
import org.lacis.Direction;
import org.lacis.Lacis;
import org.lacis.MatchingPolicy;
import org.lacis.RemoteRegion;

/** Which parts of an {@link EnginePosting} go together; what makes no sense is refused. */
final class PostingRules {

  private PostingRules() {}

  static void check(EnginePosting p, Completion done) {
    require(p, p.direction != null, "post needs a direction");
    boolean in = p.direction == Direction.IN;
    checkForm(p, in);
    checkPeer(p, in);
    checkBuffer(p, in);
    boolean matched = p.remote == null && p.target == null;
    require(
        p,
        matched || (p.matching == null && p.policy == MatchingPolicy.RANK_TAG),
        "matching is for sends and receives");
    boolean receive = in && p.remote == null;
    require(
        p,
        receive || (p.tag != Lacis.ANY_TAG && p.rank != Lacis.ANY_SOURCE),
        "ANY_SOURCE and ANY_TAG are for receives");
    require(p, receive || p.handle == null, "a handle is for receives");
    checkOptions(p, in);
    if (p.anyLength) {
      require(
          p,
          p.allowDone != 1 && done != Completion.NONE && !(done instanceof Counter),
          "anyLength needs a completion object that is always signalled and gets the status, which"
              + " tells where the message is: no counter, nor Completion.NONE");
    }
  }

  private static void checkForm(EnginePosting p, boolean in) {
    boolean remote = p.remote != null;
    boolean target = p.target != null;
    require(p, !in || remote || !target, "a receive cannot have a remote completion");
    switch (p.form) {
      case SEND ->
          require(p, !in && !remote && !target, "a send has neither remote buffer nor target");
      case RECEIVE -> require(p, in && !remote, "a receive has no remote buffer");
      case ACTIVE ->
          require(
              p, !in && !remote && target, "an active message needs a target and no remote buffer");
      case PUT -> require(p, !in && remote, "a put needs a remote buffer");
      case GET -> require(p, in && remote, "a get needs a remote buffer");
      case ANY -> {}
    }
  }

  private static void checkPeer(EnginePosting p, boolean in) {
    RemoteRegion r = p.remote;
    boolean given = p.rank != EnginePosting.UNSET;
    if (r != null) {
      require(
          p,
          !given || p.rank == r.rank(),
          "the remote region belongs to another rank than the one given");
    } else {
      require(
          p,
          given || (in && p.policy == MatchingPolicy.TAG_ONLY),
          in
              ? "a receive needs to know from whom: use from(rank); or, for any sender,"
                  + " from(ANY_SOURCE) with an ordered matching engine, matching(TAG_ONLY) with"
                  + " another"
              : "a rank is needed: use to(rank)");
    }
  }

  private static void checkBuffer(EnginePosting p, boolean in) {
    boolean transfer = p.remote != null;
    boolean packet = p.packet != null;
    require(p, !packet || !transfer, "a put or get takes a buffer, not a packet");
    require(p, !packet || !in, "a receive takes a buffer, not a packet");
    require(p, !p.anyLength || (in && !transfer), "anyLength is for receives");
    BufferList list = p.list;
    require(
        p,
        !transfer || list == null || list.piggyback() == null || p.target != null,
        "the piggyback of a put or get needs a remote completion, which gets it");
    checkPlaces(p);
    require(p, !packet || p.buffer == null, "give a buffer or a packet, not both");
    require(p, p.list == null || p.buffer == null, "give a buffer or a list, not both");
    require(p, p.list == null || !packet, "give a list or a packet, not both");
    require(
        p,
        !p.anyLength || (p.list == null && p.buffer == null),
        "give a buffer or a list, or say anyLength, not both");
    boolean given = p.buffer != null || p.list != null || packet || p.anyLength;
    require(
        p,
        given || !(in || transfer),
        transfer
            ? "a buffer is needed"
            : "a buffer is needed: MemorySegment.NULL for an empty message, or anyLength()");
  }

  // Messages with values are put together when they are needed: a post allocates nothing.

  private static void checkPlaces(EnginePosting p) {
    List<RemoteRegion> places = p.places;
    if (places == null) {
      return;
    }
    BufferList list = p.list;
    if (list == null || list.count() != places.size()) {
      throw refusal(
          p,
          "there are "
              + places.size()
              + " places, but "
              + (list == null ? "no list" : list.count() + " parts"));
    }
    int rank = places.getFirst().rank();
    for (int i = 1; i < places.size(); i++) {
      require(p, places.get(i).rank() == rank, "the places belong to several ranks");
    }
  }

  private static void checkOptions(EnginePosting p, boolean in) {
    require(
        p,
        !p.immediateGiven || p.target != null,
        "immediate data needs a remote completion, which gets it");
    require(p, !p.synchronous || !in, "synchronous is for what goes out");
    require(p, !p.synchronous || p.packet == null, "a packet cannot be sent synchronous");
    require(
        p, p.pool == null || (!in && p.remote == null), "a pool is for sends and active messages");
    require(p, p.pool == null || p.packet == null, "a packet knows its pool");
    if (!p.allowPosted) {
      require(p, !in && p.remote == null, "allowPosted(false) is for sends and active messages");
      require(
          p,
          p.allowDone != 0 && p.allowRetry && !p.synchronous,
          "with allowPosted(false) it must be allowed to be done and to be retried, and not"
              + " synchronous");
      checkEager(p);
    }
  }

  /** What goes without a copy is not done when the post returns. */
  private static void checkEager(EnginePosting p) {
    int room = (p.pool == null ? p.engine.pool : p.pool).packetBytes();
    BufferList list = p.list;
    long bytes = list == null ? p.length : ListFrame.headBytes(list) + list.length();
    if (p.packet == null && bytes > room) {
      throw refusal(
          p,
          "allowPosted(false) is for what fits into a packet of "
              + room
              + " bytes, but this needs "
              + bytes);
    }
  }

  private static void require(EnginePosting p, boolean condition, String otherwise) {
    if (!condition) {
      throw refusal(p, otherwise);
    }
  }

  private static IllegalArgumentException refusal(EnginePosting p, String why) {
    return new IllegalArgumentException(p.form.call + ": " + why);
  }
}
