package org.lacis.trace.replay;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A rank that is played: how far it is, what is on its way to it, and its matching engines. */
final class Player implements Closeable {
  /** Enough that threads for a block of messages are not started for a few only. */
  private static final int EVENTS = 1 << 12;

  final int rank;
  final StepSource steps;
  final Member member;
  final Inbox inbox;
  final Pairing pairing;
  final List<RankReplay> engines;
  private final Events events = new Events();

  /** When its next step is. */
  long time;

  /** The time of the trace of the step before. */
  long recorded;

  /** What it waits for; null if that is no message. */
  @Nullable Key waitsFor;

  /** Whether it goes on though what it waits for has not come. */
  boolean givenUp;

  boolean started;
  boolean ended;
  int messages;
  int receives;
  int posted;
  long wildcards;

  Player(
      int rank,
      StepSource steps,
      Member member,
      Pairing pairing,
      Spill spill,
      List<RankReplay> engines) {
    this.rank = rank;
    this.steps = steps;
    this.member = member;
    this.pairing = pairing;
    this.engines = engines;
    inbox = new Inbox(spill, this::arrived);
  }

  private void arrived(Lane message) {
    var key = new Key(message.comm(), message.source(), message.tag());
    pairing.arrived(key);
    event(Events.ARRIVE, message.number(), key, message.sender);
  }

  /** Something happens that engines have to know. */
  void event(int kind, int number, Key key, int peer) {
    events.add(kind, number, key, peer);
    if (events.size() >= EVENTS) {
      play();
    }
  }

  /** Plays what has happened. */
  void play() {
    for (RankReplay engine : engines) {
      engine.play(events);
    }
    events.clear();
  }

  /** The last step is done, and no more is sent to it. */
  void finish(Gaps gaps) throws IOException {
    inbox.arriveBefore(Long.MAX_VALUE);
    play();
    for (RankReplay engine : engines) {
      List<Entry> left = engine.finish();
      if (engine == engines.getFirst()) {
        left.forEach(entry -> gaps.left(rank, entry));
      }
    }
    pairing.finish();
  }

  @Override
  public void close() {
    steps.close();
  }
}
