package org.lacis.engine;

import org.lacis.Completion;
import org.lacis.Direction;
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
    if (p.anyLength) {
      require(
          p,
          p.allowDone != 1 && done != Completion.NONE,
          "anyLength needs a completion object that is always signalled: it tells where the message"
              + " is");
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
          "a rank is needed: use to(rank) or from(rank)");
    }
  }

  private static void checkBuffer(EnginePosting p, boolean in) {
    boolean transfer = p.remote != null;
    boolean packet = p.packet != null;
    require(p, !packet || !transfer, "a put or get takes a buffer, not a packet");
    require(p, !packet || !in, "a receive takes a buffer, not a packet");
    require(p, !p.anyLength || (in && !transfer), "anyLength is for receives");
    require(p, p.list == null || !transfer, "a put or get takes a buffer, not a list");
    require(p, !packet || p.buffer == null, "give a buffer or a packet, not both");
    require(p, p.list == null || p.buffer == null, "give a buffer or a list, not both");
    require(p, p.list == null || !packet, "give a list or a packet, not both");
    require(
        p,
        !p.anyLength || (p.list == null && p.buffer == null),
        "give a buffer or a list, or say anyLength, not both");
    require(p, p.buffer != null || p.list != null || packet || p.anyLength, "a buffer is needed");
  }

  private static void require(EnginePosting p, boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalArgumentException(p.form.call + ": " + otherwise);
    }
  }
}
