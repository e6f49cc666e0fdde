package org.lacis.trace.replay;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Trace;
import org.lacis.trace.depth.ProfileCache;
import org.lacis.trace.depth.Progress;

/**
 * Plays a run again with the matching engines of Lacis. Of a trace no more is in memory than what
 * waits at a time, and of messages that are on their way even less.
 */
public final class Replay implements Closeable {
  private static final int MOST_STEPS_AHEAD = 1 << 18;
  private static final int MOST_UNSETTLED = 1 << 22;
  private static final int MOST_IN_TABLES = 1 << 18;
  private static final int MOST_IN_BLOCKS = 1 << 14;

  /** Is told which receive of a rank has got which message. */
  interface Meetings {
    void met(Engine engine, int rank, int receive, int message);
  }

  private final ReplayOptions options;
  private final Map<Integer, Player> players = new LinkedHashMap<>();
  private final Communicators communicators;
  private final Spill spill;
  private final Gaps gaps = new Gaps();
  private final List<Integer> missing;
  private final List<String> problems;
  private final Progress progress;
  private final long allBytes;
  private long doneBytes;

  private Replay(
      Trace trace, ReplayOptions options, Progress progress, Meetings meetings, Spill spill)
      throws IOException {
    this.spill = spill;
    this.options = options;
    this.progress = progress;
    missing = trace.missing();
    problems = new ArrayList<>(trace.warnings());
    communicators =
        new Communicators(trace.size(), trace.ranks().stream().map(RankTrace::rank).toList());
    long sum = 0;
    for (RankTrace rank : trace.ranks()) {
      sum += Files.size(rank.file());
    }
    allBytes = sum;
    int ranks = Math.max(trace.ranks().size(), 1);
    for (RankTrace rank : trace.ranks()) {
      players.put(rank.rank(), player(rank, ranks, meetings));
    }
  }

  private Player player(RankTrace rank, int ranks, Meetings meetings) {
    int number = rank.rank();
    Engine[] all = Engine.values();
    var pairing = new Pairing(all.length, Math.max(MOST_UNSETTLED / ranks, 1 << 10));
    List<RankReplay> engines = new ArrayList<>();
    for (Engine engine : all) {
      engines.add(
          new RankReplay(
              engine,
              options,
              Math.clamp(MOST_IN_TABLES / ranks, 128, 1024),
              Math.max(MOST_IN_BLOCKS / ranks, 256),
              (receive, message) -> {
                pairing.met(engine.ordinal(), receive, message);
                meetings.met(engine, number, receive, message);
              }));
    }
    int room = Math.clamp(MOST_STEPS_AHEAD / ranks, 64, 4096);
    var steps = new StepSource(rank, room, this::advance);
    return new Player(number, steps, communicators.member(number), pairing, spill, engines);
  }

  /**
   * Plays a trace with every engine, unless what comes of it is known.
   *
   * @param cache what is known, and where what is seen is kept; null for none
   */
  public static ReplayResult run(
      Trace trace, ReplayOptions options, @Nullable ProfileCache cache, Progress progress)
      throws IOException {
    byte[] known = cache == null ? null : cache.find(trace, options.toString());
    if (known != null) {
      return ResultBytes.read(known);
    }
    ReplayResult result = run(trace, options, progress);
    if (cache != null && result.problems().isEmpty()) {
      cache.store(trace, options.toString(), ResultBytes.write(result));
    }
    return result;
  }

  /**
   * Plays a trace with every engine. Where a file is damaged, what precedes is played, and {@link
   * ReplayResult#problems} tells of it.
   */
  public static ReplayResult run(Trace trace, ReplayOptions options, Progress progress)
      throws IOException {
    return run(trace, options, progress, (engine, rank, receive, message) -> {});
  }

  static ReplayResult run(Trace trace, ReplayOptions options, Progress progress, Meetings meetings)
      throws IOException {
    return run(trace, options, progress, meetings, new Spill(Lane.BLOCK));
  }

  /** Closes the temporary file, too. */
  static ReplayResult run(
      Trace trace, ReplayOptions options, Progress progress, Meetings meetings, Spill spill)
      throws IOException {
    try (var replay = new Replay(trace, options, progress, meetings, spill)) {
      return replay.run();
    }
  }

  @Override
  public void close() throws IOException {
    players.values().forEach(Player::close);
    spill.close();
  }

  private ReplayResult run() throws IOException {
    new Stage(options.arrivals(), players, communicators, gaps).run();
    progress.at(allBytes, allBytes);
    return result();
  }

  private synchronized void advance(long bytes) {
    doneBytes = Math.min(doneBytes + bytes, allBytes);
    progress.at(Math.min(doneBytes, allBytes - 1), allBytes);
  }

  private ReplayResult result() throws IOException {
    List<Integer> damaged = new ArrayList<>();
    for (Player player : players.values()) {
      String damage = player.steps.damage();
      if (damage != null) {
        problems.add(damage);
        damaged.add(player.rank);
      }
    }
    Engine[] all = Engine.values();
    var tallies = new Tally[all.length];
    var asRecorded = new long[all.length];
    for (int i = 0; i < all.length; i++) {
      tallies[i] = new Tally();
    }
    long messages = 0;
    long receives = 0;
    long wildcards = 0;
    long paired = 0;
    for (Player player : players.values()) {
      player.finish(gaps);
      messages += player.messages;
      receives += player.receives;
      wildcards += player.wildcards;
      paired += player.pairing.paired;
      for (int i = 0; i < all.length; i++) {
        tallies[i].add(player.engines.get(i).tally);
        asRecorded[i] += player.pairing.asRecorded[i];
      }
    }
    List<ReplayResult.Play> plays = new ArrayList<>();
    for (int i = 0; i < all.length; i++) {
      plays.add(ReplayResult.Play.of(all[i], tallies[i], asRecorded[i]));
    }
    return new ReplayResult(
        messages,
        receives,
        wildcards,
        paired,
        gaps.cancelled,
        gaps.nobody(),
        gaps.leftOut,
        gaps.notes(missing, damaged),
        plays,
        problems);
  }
}
