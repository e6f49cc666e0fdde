package org.lacis.collective;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.Device;
import org.lacis.ErrorKind;
import org.lacis.Lacis;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.MatchingPolicy;
import org.lacis.Status;

/**
 * The members of a group: how to reach them, and whether all is well.
 *
 * <p>A member that has failed would leave others waiting for messages of members that wait
 * themselves. Therefore a receive from every member is kept posted: it fails when the member has
 * died, and a member that fails in another way sends it a notice. In either case the matching
 * engine is closed, which ends every receive of every collective here; but first all others are
 * told, as some of them may not be able to find out. So does a member that closes its collectives
 * while one of them is under way there.
 *
 * <p>One that closes its runtime in good order has failed nobody who has what it sent before.
 * Whoever misses more of it notices by its own transfers, and fails.
 */
final class Members implements Completion {

  /** The tag of notices; those of messages are above it. */
  static final int NOTICE_TAG = 0;

  /** The network within one machine. */
  private static final String MAPPED = "shm";

  private static final int BUCKETS = 1024;

  final Lacis lacis;
  final Group group;
  final Device device;
  final MatchingEngine engine;
  final Landings landings;

  /** How messages are matched; notices always by rank and tag. */
  final MatchingPolicy policy;

  /** This rank as a member; -1 if it is none. */
  final int me;

  final int size;

  /** The objects that were built, as long as somebody has them. */
  private final Set<Collective<?>> built = Collections.newSetFromMap(new WeakHashMap<>());

  /** Why nothing more can be done; null as long as all is well. */
  private final AtomicReference<@Nullable CommunicationException> failure = new AtomicReference<>();

  Members(Lacis lacis, Group group, CollectiveOptions options) {
    this.lacis = lacis;
    this.landings = new Landings(lacis);
    this.group = group;
    this.me = group.member(lacis.rank());
    this.size = group.size();
    for (int member = 0; member < size; member++) {
      if (group.rank(member) >= lacis.size()) {
        throw new IllegalArgumentException(
            "member " + member + " of " + group + " is no rank of this job of " + lacis.size());
      }
    }
    Device wanted = options.device();
    this.device = wanted == null ? lacis.device() : wanted;
    MatchingEngine own = options.engine();
    if (own == lacis.matchingEngine()) {
      throw new IllegalArgumentException(
          "the default matching engine is closed with its runtime: collectives need one of their"
              + " own, from Lacis.newMatchingEngine");
    }
    this.engine =
        own != null
            ? own
            : lacis.newMatchingEngine(
                "collectives of " + size + " members",
                MatchingOptions.defaults().withBuckets(BUCKETS).withKey(Members::key));
    this.policy = own == null ? MatchingPolicy.CUSTOM : MatchingPolicy.RANK_TAG;
    if (me >= 0) {
      watch();
    }
  }

  /** All of a tag but the kind. */
  private static long key(int rank, int tag) {
    return ((long) rank << Integer.SIZE) | (tag >>> Kinds.BITS);
  }

  /** Whether messages tell their kind: an engine of the user's matches whole tags. */
  boolean tellsKinds() {
    return policy == MatchingPolicy.CUSTOM;
  }

  /** Whether memory from {@link Lacis#allocate} is mapped by all of them. */
  boolean haveMapped() {
    return lacis.network().equals(MAPPED);
  }

  /** The tag of a message. */
  int tag(int number, int kind) {
    return (number << Kinds.BITS) | (tellsKinds() ? kind : 0);
  }

  private void watch() {
    MemorySegment room = Arena.ofAuto().allocate((long) Notice.MAX_BYTES * size);
    // A notice may have come before: then there is nothing to watch any more.
    for (int member = 0; member < size && !broken(); member++) {
      if (member == me) {
        continue;
      }
      try {
        device
            .recv()
            .from(group.rank(member))
            .buffer(room, (long) Notice.MAX_BYTES * member, Notice.MAX_BYTES)
            .tag(NOTICE_TAG)
            .matching(engine)
            .postBlocking(this);
      } catch (CommunicationException e) {
        gone(e);
      } catch (IllegalStateException e) {
        if (!broken()) {
          throw e;
        }
      }
    }
  }

  /** A member is gone, or tells what has failed. */
  @Override
  public void signal(Status status) {
    CommunicationException error = status.error();
    if (error != null) {
      gone(error);
    } else {
      Notice notice = Notice.read(status.payload());
      end(notice.error(), notice);
    }
  }

  /** Nothing more comes of a member. */
  private void gone(CommunicationException error) {
    if (error.kind() != ErrorKind.PEER_GONE || lacis.hasFailed(error.rank())) {
      failed(error);
    }
  }

  /** The receives for notices wait as long as there are members. */
  @Override
  public boolean isStanding() {
    return true;
  }

  /** Whether something has gone wrong, or these collectives are closed. */
  boolean broken() {
    return failure.get() != null;
  }

  /**
   * Throws what has gone wrong, if anything has.
   *
   * @throws CommunicationException if a member has died or failed, or is missed
   * @throws IllegalStateException if this rank is not a member
   */
  void requireSound() {
    CommunicationException first = failure.get();
    if (first != null) {
      throw new CommunicationException(
          first.kind(),
          first.rank(),
          "these collectives cannot be used any more: " + first.reason(),
          first);
    }
    if (me < 0) {
      throw new IllegalStateException("rank " + lacis.rank() + " is not a member of " + group);
    }
  }

  /**
   * Something has failed here: ends everything, and tells the others.
   *
   * @return the failure that came first, of which this one may be a consequence
   */
  CommunicationException failed(RuntimeException cause) {
    CommunicationException error =
        cause instanceof CommunicationException e
            ? e
            : new CommunicationException(ErrorKind.FUNCTION, -1, cause.toString(), cause);
    // Who has closed its engine, here or elsewhere, has told it if others may miss it; of a buffer
    // that was closed only two members know.
    boolean told = error.kind() == ErrorKind.CLOSED && !isOfMemory(error);
    return end(error, told ? null : Notice.of(error, lacis.rank()));
  }

  private static boolean isOfMemory(CommunicationException error) {
    Throwable cause = error;
    while (cause instanceof CommunicationException) {
      cause = cause.getCause();
    }
    return cause instanceof IllegalStateException;
  }

  /**
   * Ends everything.
   *
   * @param notice goes to the others, whoever found the failure: it may not have reached them all
   */
  private CommunicationException end(CommunicationException error, @Nullable Notice notice) {
    if (notice != null && !broken()) {
      tell(notice);
    }
    failure.compareAndSet(null, error);
    engine.close();
    CommunicationException first = failure.get();
    return first == null ? error : first;
  }

  private void tell(Notice notice) {
    MemorySegment message = notice.message();
    for (int member = 0; member < size; member++) {
      int rank = group.rank(member);
      if (member == me || rank == notice.teller() || lacis.isGone(rank)) {
        continue;
      }
      try {
        device
            .send()
            .to(rank)
            .buffer(message)
            .tag(NOTICE_TAG)
            .matching(engine)
            .allowRetry(false)
            .post(Completion.NONE);
      } catch (RuntimeException unreachable) {
        notice.error().addSuppressed(unreachable);
      }
    }
  }

  /** Remembers an object that others may wait for while it runs. */
  void built(Collective<?> collective) {
    synchronized (built) {
      built.add(collective);
    }
  }

  /** Whether a collective is under way here; a snapshot. */
  private boolean isInTheMiddle() {
    synchronized (built) {
      for (Collective<?> collective : built) {
        if (!collective.isQuiet()) {
          return true;
        }
      }
      return false;
    }
  }

  void close() {
    boolean missed = !broken() && isInTheMiddle();
    end(closed("the collectives were closed"), missed ? parting() : null);
    landings.close();
  }

  /** What others are told by a member that closes its collectives in the middle of one. */
  private Notice parting() {
    return Notice.of(closed("it has closed its collectives in the middle of one"), lacis.rank());
  }

  private static CommunicationException closed(String why) {
    return new CommunicationException(ErrorKind.CLOSED, -1, why);
  }

  @Override
  public String toString() {
    return "collectives that another member has failed";
  }
}
