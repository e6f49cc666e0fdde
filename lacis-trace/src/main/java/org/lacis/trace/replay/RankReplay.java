package org.lacis.trace.replay;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.match.BlockMatcher;
import org.lacis.match.ListMatcher;
import org.lacis.match.MatchCounts;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;
import org.lacis.match.OrderedMatcher;

/**
 * Plays what happened at one rank with one kind of engine: receives are posted and cancelled,
 * messages arrive. There is an engine for each communicator. Not thread-safe.
 */
final class RankReplay {
  private static final int BINS = 128;

  /** More communicators than this are not kept when nothing waits in them. */
  private static final int IDLE_SIDES = 16;

  /** Is told which receive has got which message. */
  interface Meeting {
    void met(int receive, int message);
  }

  final Tally tally = new Tally();
  private final Engine engine;
  private final int block;
  private final int threads;
  private final int table;
  private final long sample;
  private long inBlocks;
  private final Meeting meeting;
  private final Map<Integer, Side> sides = new HashMap<>();

  /** Receives that wait, by number. */
  private final Map<Integer, Entry> posted = new HashMap<>();

  private int waiting;

  /** One communicator. */
  private final class Side {
    final @Nullable ListMatcher list;
    final @Nullable OrderedMatcher ordered;
    final Matcher matcher;

    /** Has threads of its own, so it is there only while something is played. */
    @Nullable BlockMatcher blocks;

    /** Whether what happens in blocks counts. */
    boolean sampled;

    final List<Entry> pending = new ArrayList<>();

    Side() {
      list = engine == Engine.LIST ? new ListMatcher() : null;
      ordered = list == null ? new OrderedMatcher(BINS, table) : null;
      matcher = list == null ? Objects.requireNonNull(ordered) : list;
    }

    boolean isIdle() {
      return pending.isEmpty() && matcher.receives() == 0 && matcher.arrivals() == 0;
    }

    void searched(Entry entry, boolean message) {
      if (list != null) {
        tally.searched(
            message
                ? list.searchedByMessage(entry.key(), entry.hash())
                : list.searchedByReceive(entry.key()));
      } else if (ordered != null && engine == Engine.ORDERED) {
        tally.searched(
            message
                ? ordered.searchedByMessage(entry.key(), entry.hash())
                : ordered.searchedByReceive(entry.key()));
      }
    }
  }

  /**
   * Without anything.
   *
   * @param table how many receives an ordered engine has room for in its table
   * @param sample how many messages are matched in blocks by several threads, and what happens to
   *     them is counted: these threads wait for each other all the time, so it takes long. Then one
   *     thread goes on alone
   */
  RankReplay(Engine engine, ReplayOptions options, int table, long sample, Meeting meeting) {
    this.engine = engine;
    block = engine == Engine.BLOCKS ? options.block() : 1;
    threads = options.threads();
    this.table = table;
    this.sample = sample;
    this.meeting = meeting;
  }

  /** Plays some of what happened. */
  void play(Events events) {
    for (int i = 0; i < events.size(); i++) {
      Side side = sides.computeIfAbsent(events.comm(i), c -> new Side());
      int number = events.number(i);
      switch (events.kind(i)) {
        case Events.POST ->
            post(side, Entry.receive(number, events.peer(i), events.source(i), events.tag(i)));
        case Events.CANCEL -> cancel(side, number);
        default ->
            arrive(side, Entry.message(number, events.peer(i), events.source(i), events.tag(i)));
      }
    }
    sides.values().forEach(this::close);
    if (sides.size() > IDLE_SIDES) {
      sides.values().removeIf(Side::isIdle);
    }
  }

  /** Matches what has arrived and was not matched yet; answers what has found no partner. */
  List<Entry> finish() {
    List<Entry> left = new ArrayList<>();
    for (Side side : sides.values()) {
      flush(side);
      close(side);
      side.matcher.drain(entry -> left.add((Entry) entry));
    }
    return left;
  }

  private void close(Side side) {
    BlockMatcher blocks = side.blocks;
    if (blocks != null) {
      if (side.sampled) {
        MatchCounts counts = blocks.counts();
        tally.blocks += counts.blocks();
        tally.optimistic += counts.optimistic();
        tally.conflicts += counts.conflicts();
        tally.fastPath += counts.fastPath();
        tally.slowPath += counts.slowPath();
      }
      blocks.close();
      side.blocks = null;
    }
  }

  private void post(Side side, Entry receive) {
    // A receive finds only what has arrived before it.
    flush(side);
    side.searched(receive, false);
    tally.postedWith(waiting);
    MatchEntry message = side.matcher.insertReceive(receive);
    if (message == null) {
      posted.put(receive.number, receive);
      tally.mostPosted = Math.max(tally.mostPosted, posted.size());
    } else {
      waiting--;
      tally.unexpected++;
      meet(receive, (Entry) message);
    }
  }

  private void arrive(Side side, Entry message) {
    side.pending.add(message);
    if (side.pending.size() >= block) {
      flush(side);
    }
  }

  private void cancel(Side side, int receive) {
    flush(side);
    Entry entry = posted.remove(receive);
    if (entry != null) {
      side.matcher.remove(entry, 0);
    }
  }

  private void flush(Side side) {
    List<Entry> pending = side.pending;
    if (pending.isEmpty()) {
      return;
    }
    if (engine != Engine.BLOCKS || side.ordered == null) {
      for (Entry message : pending) {
        side.searched(message, true);
        arrived(message, side.matcher.insertArrival(message));
      }
    } else {
      BlockMatcher blocks = side.blocks;
      if (blocks == null) {
        side.sampled = inBlocks < sample;
        blocks = new BlockMatcher(side.ordered, side.sampled ? threads : 1);
        side.blocks = blocks;
      }
      inBlocks += pending.size();
      MatchEntry[] messages = pending.toArray(new MatchEntry[0]);
      var found = new @Nullable MatchEntry[messages.length];
      blocks.match(messages, messages.length, found);
      for (int i = 0; i < messages.length; i++) {
        arrived(pending.get(i), found[i]);
      }
    }
    pending.clear();
  }

  private void arrived(Entry message, @Nullable MatchEntry receive) {
    tally.arrivedWith(posted.size());
    if (receive == null) {
      waiting++;
      tally.mostUnexpected = Math.max(tally.mostUnexpected, waiting);
    } else {
      posted.remove(((Entry) receive).number);
      meet((Entry) receive, message);
    }
  }

  private void meet(Entry receive, Entry message) {
    tally.matched++;
    meeting.met(receive.number, message.number);
  }
}
