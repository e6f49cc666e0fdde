package org.lacis.trace.depth;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lacis.trace.Call;
import org.lacis.trace.CallSink;
import org.lacis.trace.CallType;
import org.lacis.trace.Completions;
import org.lacis.trace.Fields;

/**
 * Follows the posted receives of one rank: each goes to a table by its wildcards, and leaves it
 * when its request is complete. There is a set of tables for each number of bins.
 */
final class RankDepth implements CallSink {
  private static final int ANY = -1;
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

  /** Calls between two ranks that the published analyzer knows. */
  static final Set<CallType> PAPER =
      Stream.of("Send", "Isend", "Recv", "Irecv")
          .map(name -> CallType.named("MPI_" + name))
          .collect(Collectors.toUnmodifiableSet());

  private final DepthOptions options;
  private final RankProfile profile;
  private final BinTable[][] tables;
  private final Counter byTag;
  private final Counter byPeer;
  private final Requests requests = new Requests();

  /** Communicators whose ranks are those of the world: of others a peer is not known here. */
  private final Requests likeWorld = new Requests();

  /** Receives that have a request, by a number of ours. */
  private int[] hashes = new int[16];

  private Wildcards[] wildcards = new Wildcards[16];
  private boolean[] posted = new boolean[16];
  private boolean[] persistent = new boolean[16];
  private int[] free = new int[16];
  private int freeCount;
  private int used;

  private int depth;
  private int sincePoint;
  private boolean first = true;
  private long start;
  private long now;

  RankDepth(int rank, DepthOptions options) {
    this.options = options;
    profile = new RankProfile(rank);
    tables = new BinTable[options.bins().size()][Wildcards.COUNT];
    for (int i = 0; i < tables.length; i++) {
      int bins = options.bins().get(i);
      for (int k = 0; k < Wildcards.COUNT; k++) {
        // Receives of anything are in a plain list.
        tables[i][k] = new BinTable(k == Wildcards.BOTH.ordinal() ? 1 : bins);
      }
      profile.bins.add(new BinsProfile(bins));
    }
    byTag = new Counter(profile.sentByTag, RankProfile.MAX_TAGS);
    byPeer = new Counter(profile.sentByPeer, Integer.MAX_VALUE);
    likeWorld.put(WORLD, 0);
  }

  /** What was seen; after the last call. */
  RankProfile finish() {
    byTag.finish();
    byPeer.finish();
    profile.time = Math.max(now - start, 0);
    return profile;
  }

  @Override
  public void call(Call call) {
    CallType type = call.type();
    profile.calls[type.id()]++;
    if (first) {
      start = call.wallStart();
      first = false;
    }
    now = call.wallStop();
    boolean all = options.scope() == Scope.ALL;
    switch (type.group()) {
      case SEND -> {
        if (all || PAPER.contains(type)) {
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
      if (isNowhere(source)) {
        forget(call);
        return;
      }
      count(source, TAG.in(call));
      int slot = slot(call);
      requests.put(REQUEST.in(call), slot);
      post(slot);
    } else if (options.scope() == Scope.ALL) {
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
      return;
    }
    count(source, tag);
    int slot = newSlot(source, tag, COMM.in(call));
    post(slot);
    complete(slot);
    release(slot);
  }

  /**
   * A receive from nobody completes at once, and is no wildcard. Only Open MPI tells them apart.
   */
  private boolean isNowhere(int source) {
    return options.scope() == Scope.ALL && source == PROC_NULL_OF_OPEN_MPI;
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
    int slot = requests.get(request);
    if (slot != Requests.NONE && !posted[slot]) {
      profile.receives[wildcards[slot].ordinal()]++;
      post(slot);
    }
  }

  private void complete(Call call) {
    boolean waits = call.type().name().startsWith("MPI_Wait");
    if (waits) {
      point();
    }
    int before = depth;
    Completions.forEach(
        call,
        (request, status) -> {
          int slot = requests.get(request);
          if (slot != Requests.NONE && posted[slot]) {
            complete(slot);
            if (!persistent[slot]) {
              requests.put(request, Requests.NONE);
              release(slot);
            }
          }
        });
    if (!waits && options.scope() == Scope.ALL && depth != before) {
      point();
    }
  }

  private void other(Call call, CallType type, boolean all) {
    if (type == RECV_INIT && all && !isNowhere(SOURCE.in(call))) {
      int slot = slot(call);
      persistent[slot] = true;
      requests.put(REQUEST.in(call), slot);
    } else if (type == REQUEST_FREE
        || (type.id() >= SEND_INIT.id() && type.id() < RECV_INIT.id())) {
      forget(call);
    } else if (type == COMM_DUP || type == CART_CREATE) {
      likeWorld.put(NEW_COMM.in(call), likeWorld.get(OLD_COMM.in(call)));
    }
  }

  /** The request of a call is no receive, or none any more. */
  private void forget(Call call) {
    if (REQUEST.at(call) < 0) {
      return;
    }
    int request = REQUEST.in(call);
    int slot = requests.get(request);
    if (slot != Requests.NONE) {
      if (posted[slot]) {
        complete(slot);
      }
      requests.put(request, Requests.NONE);
      release(slot);
    }
  }

  /** A place for the receive of a call, whose request may have stood for another one. */
  private int slot(Call call) {
    forget(call);
    return newSlot(SOURCE.in(call), TAG.in(call), COMM.in(call));
  }

  private int newSlot(int source, int tag, int comm) {
    int slot = freeCount > 0 ? free[--freeCount] : used++;
    if (slot == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * slot);
      wildcards = Arrays.copyOf(wildcards, 2 * slot);
      posted = Arrays.copyOf(posted, 2 * slot);
      persistent = Arrays.copyOf(persistent, 2 * slot);
      free = Arrays.copyOf(free, 2 * slot);
    }
    wildcards[slot] = Wildcards.of(source < 0, tag == ANY);
    hashes[slot] = options.hash().hash(Math.max(source, 0), tag == ANY ? 0 : tag, comm);
    persistent[slot] = false;
    return slot;
  }

  private void release(int slot) {
    free[freeCount++] = slot;
  }

  private void count(int source, int tag) {
    profile.receives[Wildcards.of(source < 0, tag == ANY).ordinal()]++;
    profile.pairs.add((long) source << 32 | (tag & 0xffffffffL));
    // The published analyzer takes the wildcard for a tag.
    if (tag != ANY || options.scope() == Scope.PAPER) {
      profile.tags.add(tag);
    }
    operation();
  }

  private void post(int slot) {
    int hash = hashes[slot];
    int kind = wildcards[slot].ordinal();
    for (int i = 0; i < tables.length; i++) {
      BinsProfile bins = profile.bins.get(i);
      BinTable table = tables[i][kind];
      int met = table.add(hash);
      if (met > 0) {
        bins.collisions[kind]++;
        bins.sums[kind] += met;
      }
      if (kind == 0) {
        bins.leastEmpty = Math.min(bins.leastEmpty, table.empty());
      }
    }
    posted[slot] = true;
    depth++;
    profile.mostPosted = Math.max(profile.mostPosted, depth);
    profile.depth.add(now - start, depth);
  }

  private void complete(int slot) {
    for (BinTable[] row : tables) {
      row[wildcards[slot].ordinal()].remove(hashes[slot]);
    }
    posted[slot] = false;
    depth--;
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
    profile.points++;
    profile.depth.add(now - start, depth);
    for (int i = 0; i < tables.length; i++) {
      BinsProfile bins = profile.bins.get(i);
      int longest = Math.max(tables[i][Wildcards.NONE.ordinal()].longest() - 1, 0);
      bins.points.add(longest);
      bins.greatest = Math.max(bins.greatest, longest);
    }
  }
}
