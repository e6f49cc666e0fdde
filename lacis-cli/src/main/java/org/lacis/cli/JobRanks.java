package org.lacis.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lacis.boot.JobFiles;
import org.lacis.boot.JobProcesses;
import org.lacis.boot.PmiServer;

/** The processes of a job: starts them, and ends them so that nothing is left. */
final class JobRanks {
  /** Is told the exit code of a rank. */
  interface EndListener {
    void ended(int rank, int code);
  }

  /** How long ranks have between SIGTERM and SIGKILL. */
  private static final long GRACE_NANOS = 2_000_000_000L;

  /** How long after a rank ended by SIGINT our own one may arrive: a terminal sends it to all. */
  private static final long INTERRUPT_MILLIS = 500;

  private final JobPlan plan;
  private final Merger out;
  private final Merger err;
  private final EndListener listener;
  private final List<RankProcess> processes = new ArrayList<>();
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private boolean ending;
  private volatile boolean finished;

  JobRanks(JobPlan plan, Merger out, Merger err, EndListener listener) {
    this.plan = plan;
    this.out = out;
    this.err = err;
    this.listener = listener;
  }

  /** Starts all ranks; answers why that failed, or null. */
  @Nullable Outcome start(PmiServer server) throws InterruptedException {
    for (int rank = 0; rank < plan.size(); rank++) {
      try {
        start(rank, server);
      } catch (IOException e) {
        return Outcome.notStarted(rank, String.valueOf(e.getMessage()));
      }
      parkIfInterrupted();
    }
    return null;
  }

  private synchronized void start(int rank, PmiServer server) throws IOException {
    if (ending) {
      return;
    }
    ProcessBuilder builder = new ProcessBuilder(plan.command(rank));
    Map<String, String> env = builder.environment();
    env.remove("PMI_FD");
    env.putAll(plan.environment(rank, server.address(), server.token(rank), server.jobId()));
    builder.directory(plan.folder());
    builder.redirectInput(
        rank == 0
            ? ProcessBuilder.Redirect.INHERIT
            : ProcessBuilder.Redirect.from(new File("/dev/null")));
    processes.add(RankProcess.start(rank, builder, out, err, code -> listener.ended(rank, code)));
  }

  /**
   * Ends all ranks and whatever they have started, and removes their files. Returns when that is
   * done.
   */
  synchronized void end(String jobId) throws InterruptedException {
    if (ending) {
      return;
    }
    ending = true;
    for (RankProcess process : processes) {
      if (process.isAlive()) {
        process.terminate();
      }
    }
    long deadline = System.nanoTime() + GRACE_NANOS;
    for (RankProcess process : processes) {
      if (!process.awaitEnd(deadline)) {
        process.kill();
      }
    }
    // A process may start another one just before it is killed: look until there is none.
    for (int round = 0; round < 100 && JobProcesses.kill(jobId) > 0; round++) {
      Thread.sleep(10);
    }
    deadline = System.nanoTime() + GRACE_NANOS;
    for (RankProcess process : processes) {
      if (process.awaitEnd(deadline)) {
        process.drain(GRACE_NANOS / 1_000_000);
      }
    }
    JobFiles.remove(jobId);
  }

  /**
   * What the JVM does when it is told to end by a signal: it then exits with 128 and the signal's
   * number.
   */
  Thread interruption(String jobId) {
    return new Thread("interrupted") {
      @Override
      public void run() {
        if (finished) {
          return;
        }
        interrupted.countDown();
        try {
          end(jobId);
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

  /** A rank was ended by SIGINT: were we, too? */
  void awaitInterruption() throws InterruptedException {
    if (interrupted.await(INTERRUPT_MILLIS, TimeUnit.MILLISECONDS)) {
      parkIfInterrupted();
    }
  }

  /** Says how the job has ended. */
  void report(Outcome outcome) {
    finished = true;
    if (outcome.message().isEmpty()) {
      return;
    }
    say(outcome.message());
    int culprit = outcome.culprit();
    if (culprit < 0 || plan.size() == 1) {
      return;
    }
    List<String> lines = processes.get(culprit).errors().lines();
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
