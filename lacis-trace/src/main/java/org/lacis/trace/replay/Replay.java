package org.lacis.trace.replay;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Trace;
import org.lacis.trace.depth.ProfileCache;
import org.lacis.trace.depth.Progress;

/**
 * Plays a run again with the matching engines of Lacis. All ranks are played at once, the one whose
 * next step is earliest first; one that waits for a message, or for others to make a communicator,
 * goes on when that has happened. So of a trace no more is in memory than what waits at a time, and
 * of messages that are on their way even less.
 */
public final class Replay implements Closeable {
  private static final int MOST_STEPS_AHEAD = 1 << 18;
  private static final int MOST_UNSETTLED = 1 << 22;
  private static final int MOST_IN_TABLES = 1 << 18;
  private static final int MOST_IN_BLOCKS = 1 << 17;

  /** Is told which receive of a rank has got which message. */
  interface Meetings {
    void met(Engine engine, int rank, int receive, int message);
  }

  private final ReplayOptions options;
  private final SplittableRandom random;
  private final Map<Integer, Player> players = new LinkedHashMap<>();
  private final Communicators communicators;
  private final Spill spill = new Spill(Lane.BLOCK);
  private final PriorityQueue<Player> ready =
      new PriorityQueue<>(
          Comparator.comparingLong((Player p) -> p.time)
              // Of the same time, a receive comes before the message.
              .thenComparing(p -> p.steps.kind() == Steps.SEND)
              .thenComparingInt(p -> p.rank));

  private final List<String> problems;
  private final Progress progress;
  private final long allBytes;
  private long doneBytes;
  private long leftOut;

  private Replay(Trace trace, ReplayOptions options, Progress progress, Meetings meetings)
      throws IOException {
    this.options = options;
    this.progress = progress;
    random = new SplittableRandom(options.arrivals() instanceof Arrivals.Model m ? m.seed() : 0);
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
    try (var replay = new Replay(trace, options, progress, meetings)) {
      return replay.run();
    }
  }

  @Override
  public void close() throws IOException {
    players.values().forEach(Player::close);
    spill.close();
  }

  private ReplayResult run() throws IOException {
    for (Player player : players.values()) {
      next(player);
    }
    for (Player player = first(); player != null; player = first()) {
      step(player);
    }
    progress.at(allBytes, allBytes);
    return result();
  }

  /** The rank whose next step is earliest; null if all are at their end. */
  private @Nullable Player first() throws IOException {
    boolean some = true;
    while (ready.isEmpty() && some) {
      some = releaseOne();
    }
    return ready.poll();
  }

  private synchronized void advance(long bytes) {
    doneBytes = Math.min(doneBytes + bytes, allBytes);
    progress.at(Math.min(doneBytes, allBytes - 1), allBytes);
  }

  // ---- steps

  /** Goes to the next step of a rank, if there is one. */
  private void next(Player player) throws IOException {
    if (!player.steps.next()) {
      player.ended = true;
      String damage = player.steps.damage();
      if (damage != null) {
        problems.add(damage);
      }
      return;
    }
    long then = player.steps.time();
    if (!player.started) {
      player.started = true;
      player.recorded = then;
    }
    if (options.arrivals() instanceof Arrivals.Times) {
      player.time = Math.max(player.time, then);
    } else if (!isWait(player.steps.kind())) {
      // What a rank does between its calls takes as long as it did; waiting does not.
      player.time += Math.max(then - player.recorded, 0);
    }
    player.recorded = then;
    ready.add(player);
  }

  private static boolean isWait(int kind) {
    return kind == Steps.DONE || kind == Steps.PROBED;
  }

  private void step(Player player) throws IOException {
    player.inbox.arriveBefore(player.time);
    StepSource step = player.steps;
    boolean happened =
        switch (step.kind()) {
          case Steps.SEND -> send(player, step);
          case Steps.POST -> post(player, step);
          case Steps.DONE -> done(player, step);
          case Steps.GONE -> gone(player, step);
          case Steps.PROBED -> probed(player, step);
          default -> make(player, step);
        };
    if (happened) {
      next(player);
    }
  }

  private boolean send(Player player, StepSource step) throws IOException {
    Comm comm = player.member.comms.get(step.c());
    if (comm == null || comm.rank() < 0 || step.a() >= comm.others().length) {
      leftOut++;
      return true;
    }
    Player target = players.get(comm.others()[step.a()]);
    if (target == null) {
      return true;
    }
    var key = new Key(comm.id(), comm.rank(), step.b());
    int number = target.messages++;
    target.pairing.sent(key, number);
    long arrival =
        target.inbox.add(player.rank, arrival(player), number, key.comm(), key.source(), key.tag());
    if (target.ended) {
      target.inbox.arriveBefore(Long.MAX_VALUE);
    } else if (key.equals(target.waitsFor)) {
      goOn(target, arrival);
    }
    return true;
  }

  private long arrival(Player sender) {
    return switch (options.arrivals()) {
      case Arrivals.Times times -> sender.time;
      case Arrivals.Model model ->
          sender.time
              + model.latencyNanos()
              + (model.jitterNanos() == 0 ? 0 : random.nextLong(model.jitterNanos() + 1));
    };
  }

  /** What a rank waits for is on its way. */
  private void goOn(Player player, long arrival) {
    player.waitsFor = null;
    if (options.arrivals() instanceof Arrivals.Model) {
      player.time = Math.max(player.time, arrival);
    }
    ready.add(player);
  }

  private boolean post(Player player, StepSource step) {
    int number = player.posted++;
    Comm comm = player.member.comms.get(step.c());
    if (comm == null) {
      leftOut++;
      return true;
    }
    var key = new Key(comm.id(), step.a(), step.b());
    player.receives++;
    player.wildcards += key.isOpen() ? 1 : 0;
    player.pairing.posted(new Receive(number, key, comm, Engine.values().length));
    player.event(Events.POST, number, key);
    return true;
  }

  private boolean gone(Player player, StepSource step) {
    Receive receive = player.pairing.receive(step.a());
    if (receive != null) {
      player.pairing.gone(receive);
      player.event(Events.CANCEL, receive.number, receive.posted);
    }
    return true;
  }

  private boolean done(Player player, StepSource step) throws IOException {
    Receive receive = player.pairing.receive(step.a());
    Comm comm = receive == null ? null : receive.comm;
    if (receive == null || comm == null) {
      return true;
    }
    Key posted = receive.posted;
    var got =
        new Key(
            posted.comm(),
            posted.source() == Steps.ANY ? step.b() : posted.source(),
            posted.tag() == Steps.ANY ? step.c() : posted.tag());
    if (!waitFor(player, comm, got)) {
      return false;
    }
    player.pairing.done(receive, got.isOpen() ? null : got);
    return true;
  }

  private boolean probed(Player player, StepSource step) throws IOException {
    Comm comm = player.member.comms.get(step.c());
    return comm == null || waitFor(player, comm, new Key(comm.id(), step.a(), step.b()));
  }

  /** Answers whether a message is there that a rank was told of; else it has to wait. */
  private boolean waitFor(Player player, Comm comm, Key key) throws IOException {
    Pairing pairing = player.pairing;
    boolean known =
        !key.isOpen()
            && key.source() >= 0
            && key.source() < comm.others().length
            && pairing.isKnown(key);
    if (!known || !players.containsKey(comm.others()[key.source()])) {
      return true;
    }
    int sender = comm.others()[key.source()];
    if (options.arrivals() instanceof Arrivals.Model) {
      player.inbox.arriveBefore(player.time + 1);
      if (!pairing.isThere(key) && pairing.isUnderWay(key)) {
        player.time = Math.max(player.time, player.inbox.arrivalFrom(sender));
        ready.add(player);
        return false;
      }
    }
    while (!pairing.isThere(key) && pairing.isUnderWay(key)) {
      player.inbox.arriveFrom(sender);
    }
    if (pairing.isThere(key) || player.givenUp) {
      player.givenUp = false;
      return true;
    }
    player.waitsFor = key;
    return false;
  }

  private boolean make(Player player, StepSource step) throws IOException {
    List<Integer> free = communicators.make(player.member, step.making());
    boolean happened = false;
    for (int rank : free) {
      Player other = players.get(rank);
      if (other == player) {
        happened = true;
      } else if (other != null) {
        afterMaking(other, player.time);
      }
    }
    return happened;
  }

  /** A rank has what it has made with others, since the last of them has come. */
  private void afterMaking(Player player, long time) throws IOException {
    if (options.arrivals() instanceof Arrivals.Model) {
      player.time = Math.max(player.time, time);
    }
    next(player);
  }

  /**
   * All ranks wait: the trace is not complete, or says what cannot have been. The one that is first
   * goes on as if what it waits for had happened; false if there is none.
   */
  private boolean releaseOne() throws IOException {
    Player first = null;
    for (Player player : players.values()) {
      if (!player.ended && (first == null || player.time < first.time)) {
        first = player;
      }
    }
    if (first == null) {
      return false;
    }
    if (first.member.making != null) {
      communicators.giveUp(first.member);
      next(first);
    } else {
      first.waitsFor = null;
      first.givenUp = true;
      ready.add(first);
    }
    return true;
  }

  // ---- what was seen

  private ReplayResult result() throws IOException {
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
      player.finish();
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
    return new ReplayResult(messages, receives, wildcards, paired, leftOut, plays, problems);
  }
}
