package org.lacis.trace.replay;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Plays all ranks at once, the one whose next step is earliest first; one that waits for a message,
 * or for others to make a communicator, goes on when that has happened.
 */
final class Stage {
  private final Arrivals arrivals;
  private final Map<Integer, Player> players;
  private final Communicators communicators;
  private final SplittableRandom random;
  private final PriorityQueue<Player> ready =
      new PriorityQueue<>(
          Comparator.comparingLong((Player p) -> p.time)
              // Of the same time, a receive comes before the message.
              .thenComparing(p -> p.steps.kind() == Steps.SEND)
              .thenComparingInt(p -> p.rank));

  private final Gaps gaps;

  Stage(Arrivals arrivals, Map<Integer, Player> players, Communicators communicators, Gaps gaps) {
    this.arrivals = arrivals;
    this.gaps = gaps;
    this.players = players;
    this.communicators = communicators;
    random = new SplittableRandom(arrivals instanceof Arrivals.Model m ? m.seed() : 0);
  }

  /** Plays every rank to its end. */
  void run() throws IOException {
    for (Player player : players.values()) {
      next(player);
    }
    for (Player player = first(); player != null; player = first()) {
      step(player);
    }
  }

  /** The rank whose next step is earliest; null if all are at their end. */
  private @Nullable Player first() throws IOException {
    boolean some = true;
    while (ready.isEmpty() && some) {
      some = releaseOne();
    }
    return ready.poll();
  }

  /** Goes to the next step of a rank, if there is one. */
  private void next(Player player) throws IOException {
    if (!player.steps.next()) {
      player.ended = true;
      return;
    }
    long then = player.steps.time();
    if (!player.started) {
      player.started = true;
      player.recorded = then;
    }
    if (arrivals instanceof Arrivals.Times) {
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
          case Steps.NOBODY -> gaps.nobody(step.a() != 0);
          default -> make(player, step);
        };
    if (happened) {
      next(player);
    }
  }

  private boolean send(Player player, StepSource step) throws IOException {
    Comm comm = player.member.comms.get(step.c());
    if (comm == null || comm.rank() < 0 || step.a() >= comm.others().length) {
      gaps.leftOut++;
      return true;
    }
    Player target = players.get(comm.others()[step.a()]);
    if (target == null) {
      gaps.sentToMissing(comm.others()[step.a()]);
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
    return switch (arrivals) {
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
    if (arrivals instanceof Arrivals.Model) {
      player.time = Math.max(player.time, arrival);
    }
    ready.add(player);
  }

  private boolean post(Player player, StepSource step) {
    int number = player.posted++;
    Comm comm = player.member.comms.get(step.c());
    if (comm == null) {
      gaps.leftOut++;
      return true;
    }
    var key = new Key(comm.id(), step.a(), step.b());
    boolean named = step.a() >= 0 && step.a() < comm.others().length;
    player.receives++;
    player.wildcards += key.isOpen() ? 1 : 0;
    player.pairing.posted(new Receive(number, key, comm, Engine.values().length));
    player.event(Events.POST, number, key, named ? comm.others()[step.a()] : Steps.ANY);
    return true;
  }

  private boolean gone(Player player, StepSource step) {
    Receive receive = player.pairing.receive(step.a());
    if (receive != null) {
      player.pairing.gone(receive);
      player.event(Events.CANCEL, receive.number, receive.posted, Steps.ANY);
      if (step.b() == 0) {
        gaps.cancelled++;
      } else {
        gaps.takenForNobody++;
        player.receives--;
        player.wildcards--;
      }
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
    if (arrivals instanceof Arrivals.Model) {
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
    if (arrivals instanceof Arrivals.Model) {
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
}
