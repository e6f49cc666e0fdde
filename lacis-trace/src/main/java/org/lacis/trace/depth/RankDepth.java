package org.lacis.trace.depth;

import org.jspecify.annotations.Nullable;
import org.lacis.trace.Call;
import org.lacis.trace.CallSink;
import org.lacis.trace.CallType;
import org.lacis.trace.Completions;
import org.lacis.trace.Fields;

/**
 * Follows the posted receives of one rank: each is posted by a call, and complete by another that
 * names its request.
 */
final class RankDepth implements CallSink {
  private static final int PROC_NULL_OF_OPEN_MPI = -2;
  private static final int OPERATIONS_PER_POINT = 4000;

  private static final int WORLD = 2;

  private static final Fields SOURCE = Fields.named("source");
  private static final Fields DEST = Fields.named("dest");
  private static final Fields TAG = Fields.named("tag");
  private static final Fields SEND_TAG = Fields.named("sendtag");
  private static final Fields RECV_TAG = Fields.named("recvtag");
  private static final Fields COMM = Fields.named("comm");
  private static final Fields OLD_COMM = Fields.named("oldcomm");
  private static final Fields NEW_COMM = Fields.named("newcomm");
  private static final Fields REQUEST = Fields.named("request");
  private static final Fields REQUESTS = Fields.named("requests");

  private static final CallType RECV = CallType.named("MPI_Recv");
  private static final CallType IRECV = CallType.named("MPI_Irecv");
  private static final CallType RECV_INIT = CallType.named("MPI_Recv_init");
  private static final CallType SEND_INIT = CallType.named("MPI_Send_init");
  private static final CallType START = CallType.named("MPI_Start");
  private static final CallType REQUEST_FREE = CallType.named("MPI_Request_free");
  private static final CallType COMM_DUP = CallType.named("MPI_Comm_dup");
  private static final CallType CART_CREATE = CallType.named("MPI_Cart_create");

  private final Scope scope;
  private final RankProfile profile;
  private final PointWriter.@Nullable Rank points;
  private final PostedTables tables;
  private final Counter byTag;
  private final Counter byPeer;

  /** By request: the place of its receive. */
  private final Requests requests = new Requests();

  /** Communicators whose ranks are those of the world: of others a peer is not known here. */
  private final Requests likeWorld = new Requests();

  private int sincePoint;
  private boolean first = true;
  private long start;
  private long now;

  RankDepth(int rank, DepthOptions options) {
    this(rank, options, null);
  }

  /**
   * One for a rank.
   *
   * @param points is told of every point; null for nobody
   */
  RankDepth(int rank, DepthOptions options, PointWriter.@Nullable Rank points) {
    scope = options.scope();
    this.points = points;
    profile = new RankProfile(rank);
    tables = new PostedTables(options, profile, points);
    byTag = new Counter(profile.sentByTag, RankProfile.MAX_TAGS);
    byPeer = new Counter(profile.sentByPeer, Integer.MAX_VALUE);
    likeWorld.put(WORLD, 0);
  }

  /** What was seen; after the last call. */
  RankProfile finish() {
    byTag.finish();
    byPeer.finish();
    profile.time = Math.max(now - start, 0);
    if (points != null) {
      points.finish();
    }
    return profile;
  }

  @Override
  public void call(Call call) {
    CallType type = call.type();
    profile.calls[type.id()]++;
    if (points != null) {
      points.call(type);
    }
    if (first) {
      start = call.wallStart();
      first = false;
    }
    now = call.wallStop();
    boolean all = scope == Scope.ALL;
    switch (type.group()) {
      case SEND -> {
        if (scope.isSend(type)) {
          send(call, TAG);
        }
        forget(call);
      }
      case RECEIVE -> receive(call);
      case EXCHANGE -> {
        if (all) {
          send(call, SEND_TAG);
          passing(call, RECV_TAG);
        }
      }
      case START -> {
        if (all) {
          start(call);
        }
      }
      case COMPLETION -> complete(call);
      case OTHER -> other(call, type, all);
      default -> {}
    }
  }

  private void receive(Call call) {
    if (call.type() == IRECV) {
      int source = SOURCE.in(call);
      forget(call);
      if (isNowhere(source)) {
        profile.receivedFromNobody++;
      } else {
        count(source, TAG.in(call));
        int place = tables.place(source, TAG.in(call), COMM.in(call), false);
        requests.put(REQUEST.in(call), place);
        tables.post(place, now - start);
      }
    } else if (scope == Scope.ALL) {
      passing(call, TAG);
    } else if (call.type() == RECV) {
      count(SOURCE.in(call), TAG.in(call));
    }
  }

  /** A receive that is posted, and complete when the call returns. */
  private void passing(Call call, Fields tagOf) {
    int source = SOURCE.in(call);
    int tag = tagOf.in(call);
    if (isNowhere(source)) {
      profile.receivedFromNobody++;
    } else {
      count(source, tag);
      int place = tables.place(source, tag, COMM.in(call), false);
      tables.post(place, now - start);
      tables.release(place);
    }
  }

  /**
   * A receive from nobody completes at once, and is no wildcard. Only Open MPI tells them apart.
   */
  private boolean isNowhere(int source) {
    return scope == Scope.ALL && source == PROC_NULL_OF_OPEN_MPI;
  }

  private void start(Call call) {
    int list = REQUESTS.at(call);
    if (call.type() == START) {
      start(REQUEST.in(call));
    } else {
      for (int i = 0; i < call.length(list); i++) {
        start(call.element(list, i));
      }
    }
  }

  private void start(int request) {
    int place = requests.get(request);
    if (place != Requests.NONE && !tables.isPosted(place)) {
      profile.receives[tables.wildcards(place).ordinal()]++;
      tables.post(place, now - start);
    }
  }

  private void complete(Call call) {
    boolean waits = call.type().name().startsWith("MPI_Wait");
    if (waits) {
      point();
    }
    int before = tables.depth();
    Completions.forEach(
        call,
        (request, status) -> {
          int place = requests.get(request);
          if (place == Requests.NONE || !tables.isPosted(place)) {
            return;
          }
          if (tables.isPersistent(place)) {
            tables.complete(place);
          } else {
            forget(request);
          }
        });
    if (!waits && scope == Scope.ALL && tables.depth() != before) {
      point();
    }
  }

  private void other(Call call, CallType type, boolean all) {
    if (type == RECV_INIT && all && !isNowhere(SOURCE.in(call))) {
      forget(call);
      int place = tables.place(SOURCE.in(call), TAG.in(call), COMM.in(call), true);
      requests.put(REQUEST.in(call), place);
    } else if (type == REQUEST_FREE
        || (type.id() >= SEND_INIT.id() && type.id() < RECV_INIT.id())) {
      forget(call);
    } else if (type == COMM_DUP || type == CART_CREATE) {
      likeWorld.put(NEW_COMM.in(call), likeWorld.get(OLD_COMM.in(call)));
    }
  }

  /** The request of a call, if it has one, is no receive, or none any more. */
  private void forget(Call call) {
    if (REQUEST.at(call) >= 0) {
      forget(REQUEST.in(call));
    }
  }

  private void forget(int request) {
    int place = requests.get(request);
    if (place != Requests.NONE) {
      requests.put(request, Requests.NONE);
      tables.release(place);
    }
  }

  private void count(int source, int tag) {
    profile.receives[Wildcards.of(source < 0, tag == PostedTables.ANY).ordinal()]++;
    profile.pairs.add((long) source << 32 | (tag & 0xffffffffL));
    // The published analyzer takes the wildcard for a tag.
    if (tag != PostedTables.ANY || scope == Scope.PAPER) {
      profile.tags.add(tag);
    }
    operation();
  }

  private void send(Call call, Fields tagOf) {
    int dest = DEST.in(call);
    int tag = tagOf.in(call);
    profile.tags.add(tag);
    byTag.count(tag);
    if (dest >= 0) {
      if (likeWorld.get(COMM.in(call)) == Requests.NONE) {
        profile.sentElsewhere++;
      } else {
        byPeer.count(dest);
      }
    } else {
      profile.sentToNobody++;
    }
    operation();
  }

  private void operation() {
    if (++sincePoint >= OPERATIONS_PER_POINT) {
      point();
    }
  }

  private void point() {
    sincePoint = 0;
    tables.point(now - start);
  }
}
