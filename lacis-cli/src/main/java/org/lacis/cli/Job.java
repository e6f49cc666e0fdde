package org.lacis.cli;

import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.lacis.boot.PmiServer;
import org.lacis.settings.Durations;

/**
 * A job from its start to its end. Whatever happens to it arrives as an event in one queue, and one
 * thread decides what that means: the first failure ends the job, unless it is to go on without
 * ranks that fail.
 */
final class Job {
  /**
   * How long ranks may still come to a fence that can never complete, before it is reported: for a
   * full report.
   */
  private static final long STUCK_NANOS = 2_000_000_000L;

  /**
   * How long a rank may take to end after it said goodbye, if others wait for it; and its
   * connection after it has ended.
   */
  private static final long GOODBYE_NANOS = 5_000_000_000L;

  /** How long a rank that others miss has at most to end by itself, if its end is the job's. */
  private static final long MISSED_NANOS = 1_000_000_000L;

  /** How long ranks may take to say what they are doing, when the time of the job is over. */
  private static final long STACKS_NANOS = 3_000_000_000L;

  private static final int SIGINT_CODE = 130;
  private static final long NEVER = Long.MAX_VALUE;

  private final JobPlan plan;
  private final byte[] classes;
  private final long begin = System.nanoTime();
  private final JobEvents events = new JobEvents();
  private final BitSet running = new BitSet();
  private final BitSet exited = new BitSet();
  private final BitSet ended = new BitSet();
  private final BitSet lost = new BitSet();
  private @Nullable Outcome firstLoss;
  private @Nullable Outcome told;
  private final Misses misses = new Misses();

  private final JobRanks ranks;

  // Times at which something is due, in nanoseconds since the begin.
  private final long timeoutAt;
  private long stuckAt = NEVER;
  private final long[] goodbyeAt;

  Job(JobPlan plan, byte[] classes) {
    this.plan = plan;
    this.classes = classes;
    this.timeoutAt = plan.timeout() == null ? NEVER : plan.timeout().toNanos();
    this.goodbyeAt = new long[plan.size()];
    Arrays.fill(goodbyeAt, NEVER);
    this.ranks = new JobRanks(plan, merger(StandardStream.OUT), merger(StandardStream.ERR), events);
  }

  private Merger merger(StandardStream stream) {
    return new Merger(
        new FileOutputStream(stream.descriptor()),
        plan.size(),
        plan.tagged(),
        e -> events.outputFailed(stream.failed(String.valueOf(e.getMessage()))));
  }

  /** Runs the job and returns the exit code. Nothing of it is left when this returns. */
  int run() throws IOException, InterruptedException {
    try (PmiServer server = PmiServer.start(plan.size(), classes, events)) {
      Runtime.getRuntime().addShutdownHook(ranks.interruption());
      Outcome outcome = ranks.start(server);
      if (outcome == null) {
        running.set(0, plan.size());
        outcome = watch(server);
      }
      ranks.end();
      ranks.report(outcome);
      return outcome.code();
    }
  }

  private Outcome watch(PmiServer server) throws InterruptedException {
    while (true) {
      JobEvent event = events.poll(patience());
      ranks.parkIfInterrupted();
      Outcome outcome = event == null ? overdue(server) : decide(event, server);
      if (outcome != null) {
        return outcome;
      }
    }
  }

  private long now() {
    return System.nanoTime() - begin;
  }

  private long patience() {
    long due = Math.min(Math.min(timeoutAt, stuckAt), misses.due());
    for (long at : goodbyeAt) {
      due = Math.min(due, at);
    }
    return due == NEVER ? NEVER : Math.max(0, due - now());
  }

  /** What a time that has come means; null if nothing yet. */
  private @Nullable Outcome overdue(PmiServer server) throws InterruptedException {
    long now = now();
    if (plan.timeout() != null && now >= timeoutAt) {
      Outcome outcome = Outcome.timedOut(Durations.show(plan.timeout()), running, ended, lost);
      ranks.say(stacks(server));
      return outcome;
    }
    if (now >= stuckAt) {
      return stuck(server);
    }
    Misses.Verdict verdict = misses.decide(now, running, lost);
    if (verdict != null) {
      int rank = verdict.rank();
      ranks.kill(rank);
      return failed(
          rank,
          Outcome.missed(plan.name(rank), rank, plan.name(verdict.by()), verdict.why()),
          server);
    }
    for (int rank = 0; rank < goodbyeAt.length; rank++) {
      if (now >= goodbyeAt[rank]) {
        goodbyeAt[rank] = NEVER;
        ended.set(rank);
        server.left(rank);
        if (exited.get(rank)) {
          running.clear(rank);
          return whenAllEnded();
        }
      }
    }
    return null;
  }

  private String stacks(PmiServer server) throws InterruptedException {
    StackReport report = new StackReport(running);
    server.askStacks();
    long until = now() + STACKS_NANOS;
    while (!report.isComplete()) {
      JobEvent event = events.poll(until - now());
      ranks.parkIfInterrupted();
      if (event == null) {
        break;
      }
      if (event.kind() == JobEvent.Kind.REPORT) {
        report.addReport(event.rank(), event.text());
      } else if (event.kind() == JobEvent.Kind.STACKS) {
        report.add(event.rank(), event.text());
      } else if (event.kind() == JobEvent.Kind.ENDED) {
        report.ended(event.rank());
      }
    }
    return report.text();
  }

  /** What an event means; null if the job goes on. */
  private @Nullable Outcome decide(JobEvent event, PmiServer server) throws InterruptedException {
    int rank = event.rank();
    switch (event.kind()) {
      case ENDED:
        return ended(rank, event.code(), server);
      case ABORTED:
        return Outcome.aborted(plan.name(rank), rank, event.code());
      case MISBEHAVED:
        return Outcome.misbehaved(plan.name(rank), rank, event.text());
      case OUTPUT_FAILED:
        return new Outcome(event.code(), rank, event.text());
      case NOT_STARTED:
        return Outcome.notStarted(plan.name(rank), event.text());
      case HOST_FAILED:
        ranks.awaitInterruption();
        return hostFailed(rank, Outcome.hostFailed(event.text()), server);
      case MISSED:
        missed(rank, event.code(), event.text());
        return null;
      case FINISHED:
        goodbyeAt[rank] = running.get(rank) ? now() + GOODBYE_NANOS : NEVER;
        return null;
      case HUNG_UP:
        return exited.get(rank) && running.get(rank) ? exited(rank, server) : null;
      case STUCK:
        return maybeStuck(server);
      case REPORT, STACKS: // an answer that nobody waits for
        return null;
    }
    return null;
  }

  private @Nullable Outcome ended(int rank, int code, PmiServer server)
      throws InterruptedException {
    if (code != 0) {
      running.clear(rank);
      goodbyeAt[rank] = NEVER;
      if (code == SIGINT_CODE) {
        ranks.awaitInterruption();
      }
      return failed(rank, Outcome.failed(plan.name(rank), rank, code), server);
    }
    exited.set(rank);
    return exited(rank, server);
  }

  /**
   * A rank has ended with 0. That it has closed its runtime may be said and not read yet: so it is
   * a failure only if all is read.
   */
  private @Nullable Outcome exited(int rank, PmiServer server) {
    boolean read = server.isHungUp(rank); // first, so that what follows knows all
    boolean open = server.holds(rank);
    if (open && !read) {
      goodbyeAt[rank] = now() + GOODBYE_NANOS;
      return null;
    }
    running.clear(rank);
    goodbyeAt[rank] = NEVER;
    if (open) {
      return failed(rank, Outcome.unclosed(plan.name(rank), rank), server);
    }
    ended.set(rank);
    server.left(rank);
    return whenAllEnded();
  }

  private @Nullable Outcome whenAllEnded() {
    if (!running.isEmpty()) {
      return null;
    }
    return firstLoss == null ? Outcome.success() : Outcome.without(lost, firstLoss);
  }

  /** A rank has failed: that ends the job, or is told. */
  private @Nullable Outcome failed(int rank, Outcome outcome, PmiServer server) {
    if (!plan.keepGoing()) {
      return outcome;
    }
    if (!lost.get(rank)) {
      lost.set(rank);
      ended.set(rank);
      firstLoss = firstLoss == null ? outcome : firstLoss;
      // Of a host that is lost with several ranks, once.
      if (!outcome.equals(told)) {
        told = outcome;
        ranks.tell(outcome.goingOn());
      }
      server.tellLost(rank, outcome.message());
      stuckAt = NEVER; // who has waited is told, and goes on
    }
    return whenAllEnded();
  }

  /** A host is lost, and its ranks with it. */
  private @Nullable Outcome hostFailed(int first, Outcome outcome, PmiServer server) {
    HostPlan hosts = plan.hosts();
    if (!plan.keepGoing() || hosts == null) {
      return outcome;
    }
    Outcome last = null;
    for (int rank = first; rank < first + hosts.of(first).count(); rank++) {
      if (running.get(rank)) {
        running.clear(rank);
        last = failed(rank, outcome, server);
      }
    }
    return last;
  }

  /** Half of the time that ranks may be silent is enough for the other side to notice, too. */
  private void missed(int by, int rank, String why) {
    long grace = events.detectionMillis() * 1_000_000L / 2;
    misses.add(by, rank, now() + (plan.keepGoing() ? grace : Math.min(grace, MISSED_NANOS)), why);
  }

  private @Nullable Outcome maybeStuck(PmiServer server) {
    BitSet waiting = server.waiting();
    if (waiting.isEmpty()) {
      return null;
    }
    BitSet missing = (BitSet) running.clone();
    missing.andNot(waiting);
    missing.andNot(ended);
    if (missing.isEmpty()) {
      return stuck(server);
    }
    stuckAt = Math.min(stuckAt, now() + STUCK_NANOS);
    return null;
  }

  private Outcome stuck(PmiServer server) {
    return Outcome.stuck(ended, server.opened(), server.waiting());
  }
}
