package org.lacis.trace.replay;

import java.util.List;

/**
 * What was seen when a run was played again.
 *
 * @param messages that were sent
 * @param receives that were posted, but for those from nobody
 * @param wildcards those of them that take any source, any tag, or both
 * @param paired receives whose message is known from the trace
 * @param cancelled receives that were cancelled
 * @param nobody what was sent to nobody or received from nobody; not among messages and receives
 * @param leftOut sends and receives in communicators whose members could not be found out
 * @param notes why messages or receives have found no partner, in words
 * @param plays by engine
 * @param problems what is wrong with the trace
 */
public record ReplayResult(
    long messages,
    long receives,
    long wildcards,
    long paired,
    long cancelled,
    Nobody nobody,
    long leftOut,
    List<String> notes,
    List<Play> plays,
    List<String> problems) {

  /**
   * Calls with {@code MPI_PROC_NULL}, which do nothing.
   *
   * @param receives from nobody
   * @param taken those of them that were recorded as receives of any source, and are taken for ones
   *     from nobody
   * @param sends to nobody
   */
  public record Nobody(long receives, long taken, long sends) {}

  /**
   * What was seen with one engine.
   *
   * @param matched receives that have got a message
   * @param unexpected those whose message was there first
   * @param asRecorded those of the paired ones that got the message they got when recorded
   * @param mostPosted the most receives that waited at a rank
   * @param meanPosted how many receives a message found waiting when it arrived, on average
   * @param mostUnexpected the most messages that waited at a rank
   * @param meanUnexpected how many messages a receive found waiting when posted, on average
   * @param searches how often a message or a receive was looked for; 0 if that was not counted
   * @param attempts how many entries were looked at for that
   * @param mostAttempts how many for one message or receive, at most
   * @param blocks how many blocks of messages there were among the first of each rank; what follows
   *     is about them
   * @param optimistic messages that took the receive they had booked, or found none
   * @param conflicts messages that had booked what a message before them had
   * @param fastPath messages that took the next receive of a sequence instead
   * @param slowPath messages that looked again, after those before them
   */
  public record Play(
      Engine engine,
      long matched,
      long unexpected,
      long asRecorded,
      int mostPosted,
      double meanPosted,
      int mostUnexpected,
      double meanUnexpected,
      long searches,
      long attempts,
      long mostAttempts,
      long blocks,
      long optimistic,
      long conflicts,
      long fastPath,
      long slowPath) {

    static Play of(Engine engine, Tally tally, long asRecorded) {
      return new Play(
          engine,
          tally.matched,
          tally.unexpected,
          asRecorded,
          tally.mostPosted,
          (double) tally.postedThen / Math.max(tally.arrivals, 1),
          tally.mostUnexpected,
          (double) tally.unexpectedThen / Math.max(tally.posts, 1),
          tally.searches,
          tally.attempts,
          tally.mostAttempts,
          tally.blocks,
          tally.optimistic,
          tally.conflicts,
          tally.fastPath,
          tally.slowPath);
    }

    /** The share of matched receives whose message was there first, 0 to 1. */
    public double unexpectedShare() {
      return share(unexpected, matched);
    }

    /** Entries looked at for each message or receive, on average. */
    public double attemptsPerSearch() {
      return share(attempts, searches);
    }

    /** The share of messages in blocks that had a conflict, 0 to 1. */
    public double conflictShare() {
      return share(conflicts, inBlocks());
    }

    /** The share of messages in blocks that went the fast path, 0 to 1. */
    public double fastPathShare() {
      return share(fastPath, inBlocks());
    }

    /** The share of messages in blocks that went the slow path, 0 to 1. */
    public double slowPathShare() {
      return share(slowPath, inBlocks());
    }

    private long inBlocks() {
      return optimistic + fastPath + slowPath;
    }

    private static double share(long part, long all) {
      return (double) part / Math.max(all, 1);
    }
  }

  /** Makes one; lists are copied. */
  public ReplayResult {
    notes = List.copyOf(notes);
    plays = List.copyOf(plays);
    problems = List.copyOf(problems);
  }

  /** What was seen with an engine. */
  public Play play(Engine engine) {
    return plays.get(engine.ordinal());
  }

  /** The share of receives that have a wildcard, 0 to 1. */
  public double wildcardShare() {
    return (double) wildcards / Math.max(receives, 1);
  }
}
