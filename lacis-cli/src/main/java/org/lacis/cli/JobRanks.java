package org.lacis.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lacis.boot.PmiServer;

/** The processes of a job: starts them, and ends them so that nothing is left. */
final class JobRanks {
  /** How long after a rank ended by SIGINT our own one may arrive: a terminal sends it to all. */
  private static final long INTERRUPT_MILLIS = 500;

  private final JobPlan plan;
  private final Merger out;
  private final Merger err;
  private final HostListener listener;
  private final Tail[] errors;
  private final List<RankGroup> groups = new ArrayList<>();
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private boolean ending;
  private volatile boolean finished;

  JobRanks(JobPlan plan, Merger out, Merger err, HostListener listener) {
    this.plan = plan;
    this.out = out;
    this.err = err;
    this.listener = listener;
    this.errors = new Tail[plan.size()];
    Arrays.setAll(errors, _ -> new Tail());
  }

  /** Starts all ranks; answers why that failed, or null. */
  @Nullable Outcome start(PmiServer server) throws InterruptedException {
    try {
      List<RankGroup> begun = begin(server);
      parkIfInterrupted();
      for (RankGroup group : begun) {
        group.open();
        parkIfInterrupted();
      }
      for (int rank = 0; rank < plan.size(); rank++) {
        Outcome outcome = start(rank, group(rank, begun), server);
        if (outcome != null) {
          return outcome;
        }
        parkIfInterrupted();
      }
      return null;
    } catch (IOException e) {
      parkIfInterrupted();
      awaitInterruption();
      return Outcome.hostFailed(String.valueOf(e.getMessage()));
    }
  }

  /** Starts what starts the ranks: of all hosts at once, as each takes a while. */
  private synchronized List<RankGroup> begin(PmiServer server) throws IOException {
    HostPlan hosts = plan.hosts();
    if (ending) {
      return groups;
    }
    RankOutput errorOutput = errorOutput();
    if (hosts == null) {
      groups.add(
          new LocalRanks(
              server.jobId(),
              plan.folder(),
              ProcessBuilder.Redirect.INHERIT,
              out,
              errorOutput,
              listener));
      return groups;
    }
    for (Hosts.Host host : hosts.hosts()) {
      groups.add(
          RemoteHost.begin(
              host,
              hosts.command(host, plan.jvmOptions()),
              List.of(server.jobId(), plan.folderName()),
              server.address(),
              out,
              errorOutput,
              listener));
    }
    return groups;
  }

  private RankGroup group(int rank, List<RankGroup> begun) {
    HostPlan hosts = plan.hosts();
    return begun.get(hosts == null ? 0 : hosts.hosts().indexOf(hosts.of(rank)));
  }

  private @Nullable Outcome start(int rank, RankGroup group, PmiServer server) {
    try {
      group.start(
          new RankStart(
              rank,
              plan.command(rank),
              plan.environment(rank, server.address(), server.token(rank), server.jobId())));
      return null;
    } catch (IOException e) {
      return Outcome.notStarted(plan.name(rank), String.valueOf(e.getMessage()));
    }
  }

  /** Shows what ranks write to standard error, and keeps the end of it. */
  private RankOutput errorOutput() {
    return new RankOutput() {
      @Override
      public void write(int rank, byte[] bytes, int length) {
        errors[rank].add(bytes, length);
        err.write(rank, bytes, length);
      }

      @Override
      public void end(int rank) {
        err.end(rank);
      }
    };
  }

  /**
   * Ends all ranks and whatever they have started, and removes their files. Returns when that is
   * done.
   */
  synchronized void end() throws InterruptedException {
    if (ending) {
      return;
    }
    ending = true;
    for (RankGroup group : groups) {
      group.beginEnd();
    }
    for (RankGroup group : groups) {
      group.awaitEnd();
    }
  }

  /**
   * What the JVM does when it is told to end by a signal: it then exits with 128 and the signal's
   * number.
   */
  Thread interruption() {
    return new Thread("interrupted") {
      @Override
      public void run() {
        if (finished) {
          return;
        }
        interrupted.countDown();
        try {
          end();
          say("interrupted; all ranks have ended");
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    };
  }

  /** Does not return if the JVM is being ended by a signal: the ranks' ends mean nothing then. */
  void parkIfInterrupted() throws InterruptedException {
    if (interrupted.getCount() == 0) {
      while (true) {
        Thread.sleep(60_000);
      }
    }
  }

  /** A rank or host was ended, perhaps by SIGINT: were we, too? */
  void awaitInterruption() throws InterruptedException {
    if (interrupted.await(INTERRUPT_MILLIS, TimeUnit.MILLISECONDS)) {
      parkIfInterrupted();
    }
  }

  /** Ends a rank at once. Does not wait. */
  synchronized void kill(int rank) {
    if (!ending) {
      group(rank, groups).kill(rank);
    }
  }

  /** Says how the job has ended. */
  void report(Outcome outcome) {
    finished = true;
    tell(outcome);
  }

  /** Says what has happened, with the last words of whom it is due to. */
  void tell(Outcome outcome) {
    if (outcome.message().isEmpty()) {
      return;
    }
    say(outcome.message());
    int culprit = outcome.culprit();
    if (culprit < 0 || plan.size() == 1) {
      return;
    }
    List<String> lines = errors[culprit].lines();
    if (!lines.isEmpty()) {
      say(
          "the last lines rank "
              + culprit
              + " wrote to standard error:\n    "
              + String.join("\n    ", lines));
    }
  }

  /** Writes a message, of one line or several, to standard error. */
  void say(String message) {
    err.say(("lacis: " + message.stripTrailing() + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
