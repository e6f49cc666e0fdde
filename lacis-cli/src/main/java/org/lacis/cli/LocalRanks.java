package org.lacis.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lacis.boot.JobFiles;
import org.lacis.boot.JobProcesses;

/** Ranks that are children of this process. */
final class LocalRanks implements RankGroup {
  /** How long ranks have between SIGTERM and SIGKILL. */
  static final long GRACE_NANOS = 2_000_000_000L;

  private final String jobId;
  private final @Nullable File folder;
  private final ProcessBuilder.Redirect input;
  private final RankOutput out;
  private final RankOutput err;
  private final EndListener listener;
  private final List<RankProcess> processes = new ArrayList<>();
  private boolean ending;

  /**
   * No ranks yet.
   *
   * @param folder where they will run, or null for where this process does
   * @param input where the standard input of rank 0 comes from; the others have none
   */
  LocalRanks(
      String jobId,
      @Nullable File folder,
      ProcessBuilder.Redirect input,
      RankOutput out,
      RankOutput err,
      EndListener listener) {
    this.jobId = jobId;
    this.folder = folder;
    this.input = input;
    this.out = out;
    this.err = err;
    this.listener = listener;
  }

  @Override
  public void open() {}

  @Override
  public synchronized void start(RankStart start) throws IOException {
    if (ending) {
      return;
    }
    String refusal = TextForProcesses.refusal(start);
    if (refusal != null) {
      throw new IOException(refusal);
    }
    int rank = start.rank();
    ProcessBuilder builder = new ProcessBuilder(start.command());
    Map<String, String> env = builder.environment();
    env.remove("PMI_FD");
    env.putAll(start.env());
    builder.directory(folder);
    builder.redirectInput(rank == 0 ? input : ProcessBuilder.Redirect.from(new File("/dev/null")));
    processes.add(RankProcess.start(rank, builder, out, err, code -> listener.ended(rank, code)));
  }

  /** What rank 0 reads, if it was started here, with a pipe; else null. */
  synchronized @Nullable OutputStream input() {
    for (RankProcess process : processes) {
      if (process.rank() == 0) {
        return process.input();
      }
    }
    return null;
  }

  @Override
  public synchronized void kill(int rank) {
    for (RankProcess process : processes) {
      if (process.rank() == rank) {
        process.kill();
      }
    }
  }

  @Override
  public synchronized void beginEnd() {
    if (ending) {
      return;
    }
    ending = true;
    for (RankProcess process : processes) {
      if (process.isAlive()) {
        process.terminate();
      }
    }
  }

  @Override
  public synchronized void awaitEnd() throws InterruptedException {
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
}
