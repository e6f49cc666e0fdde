package org.lacis.trace.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lacis.match.BlockMatcher;
import org.lacis.match.ListMatcher;
import org.lacis.match.MatchCounts;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;
import org.lacis.match.OrderedMatcher;

/**
 * Plays what happened at one rank: receives are posted and cancelled, messages arrive, in the order
 * of their times. There is an engine for each communicator. Not thread-safe.
 */
final class RankReplay implements AutoCloseable {
  private static final int BINS = 128;
  private static final int TABLE = 1 << 10;

  private final Engine engine;
  private final int block;
  private final int threads;
  private final Map<Integer, Side> sides = new HashMap<>();

  /** Of each receive, the message it got; -1 for none. */
  final int[] got;

  private final Entry[] receives;
  long matched;
  long unexpected;
  int mostPosted;
  int mostUnexpected;
  private int posted;
  private int waiting;

  /** One communicator. */
  private static final class Side {
    final Matcher matcher;
    final @Nullable BlockMatcher blocks;
    final List<Entry> pending = new ArrayList<>();

    Side(Matcher matcher, @Nullable BlockMatcher blocks) {
      this.matcher = matcher;
      this.blocks = blocks;
    }
  }

  RankReplay(Engine engine, int block, int threads, int receives) {
    this.engine = engine;
    this.block = block;
    this.threads = threads;
    this.receives = new Entry[receives];
    got = new int[receives];
    Arrays.fill(got, -1);
  }

  void post(int receive, int comm, int source, int tag) {
    Side side = side(comm);
    // A receive finds only what has arrived before it.
    flush(side);
    Entry entry = Entry.receive(receive, source, tag);
    receives[receive] = entry;
    MatchEntry message = side.matcher.insertReceive(entry);
    if (message == null) {
      posted++;
      mostPosted = Math.max(mostPosted, posted);
    } else {
      waiting--;
      meet(entry, (Entry) message);
      unexpected++;
    }
  }

  void arrive(int message, int comm, int source, int tag) {
    Side side = side(comm);
    side.pending.add(Entry.message(message, source, tag));
    if (side.pending.size() == block) {
      flush(side);
    }
  }

  void cancel(int receive, int comm) {
    Side side = side(comm);
    flush(side);
    Entry entry = receives[receive];
    if (entry != null && side.matcher.remove(entry, 0)) {
      posted--;
    }
  }

  /** What has arrived and was not matched yet. */
  void finish() {
    sides.values().forEach(this::flush);
  }

  /** How blocks were matched, added to what is known. */
  MatchCounts counts(MatchCounts known) {
    MatchCounts sum = known;
    for (Side side : sides.values()) {
      if (side.blocks != null) {
        MatchCounts c = side.blocks.counts();
        sum =
            new MatchCounts(
                sum.blocks() + c.blocks(),
                sum.optimistic() + c.optimistic(),
                sum.conflicts() + c.conflicts(),
                sum.fastPath() + c.fastPath(),
                sum.slowPath() + c.slowPath(),
                sum.leftForLater() + c.leftForLater());
      }
    }
    return sum;
  }

  @Override
  public void close() {
    for (Side side : sides.values()) {
      if (side.blocks != null) {
        side.blocks.close();
      }
    }
  }

  private Side side(int comm) {
    return sides.computeIfAbsent(comm, c -> newSide());
  }

  private Side newSide() {
    if (engine == Engine.LIST) {
      return new Side(new ListMatcher(), null);
    }
    var matcher = new OrderedMatcher(BINS, TABLE);
    return new Side(matcher, engine == Engine.BLOCKS ? new BlockMatcher(matcher, threads) : null);
  }

  private void flush(Side side) {
    List<Entry> pending = side.pending;
    if (pending.isEmpty()) {
      return;
    }
    if (side.blocks == null) {
      for (Entry message : pending) {
        arrived(message, side.matcher.insertArrival(message));
      }
    } else {
      MatchEntry[] messages = pending.toArray(new MatchEntry[0]);
      var found = new @Nullable MatchEntry[messages.length];
      side.blocks.match(messages, messages.length, found);
      for (int i = 0; i < messages.length; i++) {
        arrived(pending.get(i), found[i]);
      }
    }
    pending.clear();
  }

  private void arrived(Entry message, @Nullable MatchEntry receive) {
    if (receive == null) {
      waiting++;
      mostUnexpected = Math.max(mostUnexpected, waiting);
    } else {
      posted--;
      meet((Entry) receive, message);
    }
  }

  private void meet(Entry receive, Entry message) {
    matched++;
    got[receive.number] = message.number;
  }
}
