package org.lacis.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** The process of one rank, with threads that relay its output and wait for its end. */
final class RankProcess {
  private static final int BUFFER = 1 << 16;

  private final int rank;
  private final Process process;
  private final Thread outPump;
  private final Thread errPump;

  private RankProcess(int rank, Process process, RankOutput out, RankOutput err) {
    this.rank = rank;
    this.process = process;
    this.outPump = pump(process.getInputStream(), out);
    this.errPump = pump(process.getErrorStream(), err);
  }

  /**
   * Starts a rank. Its exit code is told from another thread, after all of its output was relayed.
   */
  static RankProcess start(
      int rank, ProcessBuilder builder, RankOutput out, RankOutput err, IntConsumer whenEnded)
      throws IOException {
    RankProcess started = new RankProcess(rank, builder.start(), out, err);
    started.outPump.start();
    started.errPump.start();
    started.waiter(whenEnded).start();
    return started;
  }

  private Thread waiter(IntConsumer whenEnded) {
    Thread thread =
        new Thread("rank-" + rank) {
          @Override
          public void run() {
            try {
              int code = process.waitFor();
              drain(1000);
              whenEnded.accept(code);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    thread.setDaemon(true);
    return thread;
  }

  private Thread pump(InputStream in, RankOutput output) {
    Thread thread =
        new Thread("rank-output") {
          @Override
          public void run() {
            byte[] buffer = new byte[BUFFER];
            try {
              int n;
              while ((n = in.read(buffer)) > 0) {
                output.write(rank, buffer, n);
              }
            } catch (IOException e) {
              // The rank is gone, and its output ends here.
            }
            output.end(rank);
          }
        };
    thread.setDaemon(true);
    return thread;
  }

  int rank() {
    return rank;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  // Through their handles: Process.destroy() also closes the streams, and with them would go what
  // the process had still to say.

  /** Asks the process to end. */
  void terminate() {
    process.toHandle().destroy();
  }

  void kill() {
    process.toHandle().destroyForcibly();
  }

  /** Waits for the end of the process until a time of {@link System#nanoTime}. */
  boolean awaitEnd(long deadline) throws InterruptedException {
    return process.waitFor(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
  }

  /**
   * Waits until the output of a process that has ended is relayed; a child of it may hold it open.
   */
  void drain(long millis) throws InterruptedException {
    outPump.join(millis);
    errPump.join(millis);
  }

  /** What the process reads, if that is a pipe. */
  OutputStream input() {
    return process.getOutputStream();
  }
}
