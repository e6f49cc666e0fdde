package org.lacis.trace.replay;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lacis.match.BlockMatcher;
import org.lacis.match.MatchCounts;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Trace;
import org.lacis.trace.TraceException;

/**
 * A run that is played again with a matching engine of Lacis. All of what its ranks did for
 * matching is in memory: some 30 bytes per send, receive and completion.
 */
public final class Replay {
  /**
   * What was seen.
   *
   * @param messages that were sent
   * @param receives that were posted
   * @param paired receives whose message is known from the trace
   * @param leftOut sends and receives in communicators whose members could not be found out
   * @param matched receives that have got a message when played again
   * @param unexpected those whose message was there first
   * @param asRecorded those of the paired ones that got the message they got when recorded
   * @param mostPosted the most receives that waited at a rank
   * @param mostUnexpected the most messages that waited at a rank
   * @param counts how blocks of messages were matched; zeros without blocks
   * @param problems what is wrong with the trace
   */
  public record Result(
      Engine engine,
      long messages,
      long receives,
      long paired,
      long leftOut,
      long matched,
      long unexpected,
      long asRecorded,
      int mostPosted,
      int mostUnexpected,
      MatchCounts counts,
      List<String> problems) {}

  private static final int POST = 0;
  private static final int ARRIVE = 1;
  private static final int CANCEL = 2;

  private final List<Script> scripts = new ArrayList<>();
  private final List<String> problems;
  private final Pairing pairing;

  private Replay(Trace trace, Arrivals arrivals) throws IOException {
    problems = new ArrayList<>(trace.warnings());
    for (RankTrace rank : trace.ranks()) {
      var script = new Script(rank.rank());
      try {
        rank.read(new ScriptReader(script));
      } catch (TraceException e) {
        problems.add(e.getMessage());
      }
      scripts.add(script);
    }
    pairing = new Pairing(scripts, new Communicators(scripts, trace.size()), trace.size());
    new Clock(pairing, arrivals).run();
  }

  /** Reads a trace, to be played with any engine. */
  public static Replay of(Trace trace, Arrivals arrivals) throws IOException {
    return new Replay(trace, arrivals);
  }

  /**
   * Plays it.
   *
   * @param block how many messages are matched at once, with the engine {@link Engine#BLOCKS}
   * @param threads how many match a block
   */
  public Result play(Engine engine, int block, int threads) {
    if (block < 1 || block > BlockMatcher.MAX_BLOCK) {
      throw new IllegalArgumentException(
          "blocks of %d: 1 to %d are possible".formatted(block, BlockMatcher.MAX_BLOCK));
    }
    long messages = 0;
    long receives = 0;
    long paired = 0;
    long matched = 0;
    long unexpected = 0;
    long asRecorded = 0;
    int mostPosted = 0;
    int mostUnexpected = 0;
    var counts = new MatchCounts(0, 0, 0, 0, 0, 0);
    for (int i = 0; i < scripts.size(); i++) {
      Script script = scripts.get(i);
      Mailbox box = pairing.box(script.rank);
      int each = engine == Engine.BLOCKS ? block : 1;
      try (var rank = new RankReplay(engine, each, threads, script.receives())) {
        play(i, rank);
        counts = rank.counts(counts);
        messages += box.messages();
        receives += script.receives();
        matched += rank.matched;
        unexpected += rank.unexpected;
        mostPosted = Math.max(mostPosted, rank.mostPosted);
        mostUnexpected = Math.max(mostUnexpected, rank.mostUnexpected);
        for (int r = 0; r < script.receives(); r++) {
          if (box.messageOf.get(r) >= 0) {
            paired++;
            asRecorded += rank.got[r] == box.messageOf.get(r) ? 1 : 0;
          }
        }
      }
    }
    return new Result(
        engine,
        messages,
        receives,
        paired,
        pairing.leftOut(),
        matched,
        unexpected,
        asRecorded,
        mostPosted,
        mostUnexpected,
        counts,
        List.copyOf(problems));
  }

  /** What each receive of a rank gets with an engine: the number of a message, or -1. */
  int[] got(int script, Engine engine, int block, int threads) {
    int each = engine == Engine.BLOCKS ? block : 1;
    try (var rank = new RankReplay(engine, each, threads, scripts.get(script).receives())) {
      play(script, rank);
      return rank.got;
    }
  }

  int ranks() {
    return scripts.size();
  }

  private void play(int i, RankReplay rank) {
    Script script = scripts.get(i);
    Mailbox box = pairing.box(script.rank);
    var kinds = new Ints();
    var numbers = new Ints();
    var times = new Longs();
    for (int step = 0; step < script.steps(); step++) {
      boolean posts = script.kinds.get(step) == Script.POST;
      boolean cancels =
          script.kinds.get(step) == Script.DONE
              && script.cancelled.get(script.peers.get(step)) != 0;
      if (posts || cancels) {
        kinds.add(posts ? POST : CANCEL);
        numbers.add(step);
        times.add(script.times.get(step));
      }
    }
    for (int m = 0; m < box.messages(); m++) {
      kinds.add(ARRIVE);
      numbers.add(m);
      times.add(box.arrivals.get(m));
    }
    // Stable: of the same time, a receive comes before the message.
    Integer[] order = IntStream.range(0, kinds.size()).boxed().toArray(Integer[]::new);
    Arrays.sort(order, (a, b) -> Long.compare(times.get(a), times.get(b)));
    int receive = 0;
    for (int at : order) {
      int number = numbers.get(at);
      switch (kinds.get(at)) {
        case POST -> {
          // Posts of a rank are in order: its clock does not go back.
          rank.post(
              receive++,
              pairing.comm(i, number),
              script.peers.get(number),
              script.tags.get(number));
        }
        case CANCEL -> {
          int cancelled = script.peers.get(number);
          rank.cancel(cancelled, pairing.comm(i, script.postedBy.get(cancelled)));
        }
        default ->
            rank.arrive(
                number, box.comms.get(number), box.sources.get(number), box.tags.get(number));
      }
    }
    rank.finish();
  }
}
