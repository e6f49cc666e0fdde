package org.lacis.bench.subject;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import org.lacis.CompletionQueue;
import org.lacis.Lacis;
import org.lacis.Packet;
import org.lacis.PacketPool;
import org.lacis.Status;
import org.lacis.match.HashMatcher;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;

/** What several threads get out of one resource, with nothing else around it. */
final class Resources implements Work {
  private final int threads;
  private final ThreadTeam team;

  Resources(Lacis lacis, String kind, int threads) {
    this.threads = threads;
    team =
        new ThreadTeam(
            threads,
            switch (kind) {
              case "pool" -> packets(lacis.packetPool());
              case "matcher" -> matches(new HashMatcher());
              default -> completions(lacis.newCompletionQueue());
            });
  }

  @Override
  public Timing run(Command command) throws Exception {
    return Timing.of(team.time(command.count() / threads));
  }

  /** A packet taken and given back. */
  private static ThreadTeam.Part packets(PacketPool pool) {
    return (_, count) -> {
      for (long i = 0; i < count; i++) {
        Packet packet = pool.get();
        while (packet == null) { // whoever holds the stripe that has them was put to sleep
          Thread.onSpinWait();
          packet = pool.get();
        }
        packet.close();
      }
    };
  }

  /** A receive put in, and the arrival that takes it out. */
  private static ThreadTeam.Part matches(Matcher matcher) {
    return (thread, count) -> {
      var receive = new Entry();
      var arrival = new Entry();
      for (long i = 0; i < count; i++) {
        long key = ((long) thread << 32) | (i & 1023);
        receive.name(key);
        arrival.name(key);
        while (matcher.insertReceive(receive) == Matcher.BUSY) {
          Thread.onSpinWait();
        }
        while (matcher.insertArrival(arrival) == Matcher.BUSY) {
          Thread.onSpinWait();
        }
      }
    };
  }

  /** A completion put in, and one taken out, perhaps another thread's. */
  private static ThreadTeam.Part completions(CompletionQueue queue) {
    var word = Arena.ofAuto().allocate(JAVA_LONG);
    return (thread, count) -> {
      var in = Status.of(0, thread, word, null);
      var out = Status.create();
      for (long i = 0; i < count; i++) {
        queue.signal(in);
        while (!queue.pop(out)) {
          Thread.onSpinWait();
        }
      }
    };
  }

  private static final class Entry extends MatchEntry {
    void name(long key) {
      this.key = key;
    }
  }
}
