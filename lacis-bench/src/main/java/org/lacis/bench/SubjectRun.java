package org.lacis.bench;

import java.io.File;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The ranks of a subject that have been started. One thread asks; another may end them. */
final class SubjectRun implements AutoCloseable {
  private static final long GRACE_MILLIS = 3000;
  private static final long POLL_MILLIS = 20;
  private static final int TAIL = 600;

  /** Figures that all ranks have a part in. */
  private static final List<String> SUMS = List.of("gc", "jit");

  private final Subject subject;
  private final @Nullable RankLine[] lines;
  private final CountDownLatch missing;
  private final Path log;
  private final List<Path> files;
  private final Processes processes;
  private @Nullable Process process;

  SubjectRun(Subject subject, int ranks, Path log, List<Path> files, Processes processes) {
    this.subject = subject;
    this.processes = processes;
    this.lines = new RankLine[ranks];
    this.missing = new CountDownLatch(ranks);
    this.log = log;
    this.files = files;
  }

  Subject subject() {
    return subject;
  }

  void launch(List<String> command, Map<String, String> env)
      throws SubjectException, InterruptedException {
    var builder = new ProcessBuilder(command);
    builder.environment().putAll(env);
    builder.redirectErrorStream(true);
    builder.redirectOutput(log.toFile());
    builder.redirectInput(new File("/dev/null"));
    try {
      process = processes.start(builder);
    } catch (IOException e) {
      throw new SubjectException(subject.name() + " cannot be started: " + e.getMessage(), e);
    }
  }

  /** A rank has called; answers whether it was expected. */
  boolean join(int rank, RankLine line) {
    synchronized (lines) {
      if (rank < 0 || rank >= lines.length || lines[rank] != null) {
        return false;
      }
      lines[rank] = line;
    }
    missing.countDown();
    return true;
  }

  /** Waits until all ranks have called. */
  void awaitReady(Duration limit) throws SubjectException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!missing.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
      if (process != null && !process.isAlive()) {
        throw failure("ended before its ranks were there", null);
      }
      if (System.nanoTime() > deadline) {
        throw failure("was not there after " + limit.toSeconds() + " s", null);
      }
    }
    deleteFiles();
  }

  /**
   * Has all ranks do something: the longest of their times, and the figures of the one that took
   * it; null if the subject does not know how.
   */
  @Nullable Answer ask(String command, Duration limit) throws SubjectException {
    long deadline = System.nanoTime() + limit.toNanos();
    RankLine[] all = all();
    int rank = 0;
    try {
      for (rank = 0; rank < all.length; rank++) {
        all[rank].send(command);
      }
      Answer longest = new Answer(0, Map.of());
      Map<String, Double> sums = new HashMap<>();
      boolean known = true;
      for (rank = 0; rank < all.length; rank++) {
        String line = all[rank].read(deadline);
        if (line.equals("none")) {
          known = false;
          continue;
        }
        Answer answer = answer(rank, line);
        if (answer.nanos() > longest.nanos()) {
          longest = answer;
        }
        for (String name : SUMS) {
          sums.merge(name, answer.more().getOrDefault(name, 0.0), Double::sum);
        }
      }
      if (!known) {
        return null;
      }
      longest.more().forEach(sums::putIfAbsent);
      return new Answer(longest.nanos(), sums);
    } catch (SocketTimeoutException e) {
      throw failure(
          "hangs: rank "
              + rank
              + " has not answered \""
              + command
              + "\" within "
              + limit.toMillis()
              + " ms",
          e);
    } catch (IOException e) {
      throw failure("lost rank " + rank + " in \"" + command + "\": " + e.getMessage(), e);
    }
  }

  private Answer answer(int rank, String line) throws SubjectException {
    if (line.startsWith("error ")) {
      throw failure("failed at rank " + rank + ": " + line.substring(6), null);
    }
    try {
      return Answer.parse(line);
    } catch (IllegalArgumentException e) {
      throw failure("talks nonsense at rank " + rank + ": \"" + printable(line) + "\"", e);
    }
  }

  private static String printable(String line) {
    String text = line.replaceAll("[^ -~]", "?");
    return text.length() > 80 ? text.substring(0, 80) + "…" : text;
  }

  private RankLine[] all() throws SubjectException {
    RankLine[] all = new RankLine[lines.length];
    synchronized (lines) {
      for (int rank = 0; rank < lines.length; rank++) {
        RankLine line = lines[rank];
        if (line == null) {
          throw failure("has no rank " + rank, null);
        }
        all[rank] = line;
      }
    }
    return all;
  }

  /** Ends the subject, says so, and has the last of what it wrote in the message. */
  private SubjectException failure(String what, @Nullable Throwable cause) {
    kill();
    String tail = "";
    try {
      String text = Files.readString(log, StandardCharsets.UTF_8).strip();
      tail = text.length() > TAIL ? "…" + text.substring(text.length() - TAIL) : text;
    } catch (IOException e) {
      // It has written nothing, or nothing that is text.
    }
    String message =
        subject.name() + " " + what + (tail.isEmpty() ? "" : "; it wrote:\n    " + indented(tail));
    return cause == null ? new SubjectException(message) : new SubjectException(message, cause);
  }

  private static String indented(String text) {
    return text.replace("\n", "\n    ");
  }

  /** Lets the ranks end, and ends those that do not. */
  @Override
  public void close() {
    synchronized (lines) {
      for (RankLine line : lines) {
        if (line != null) {
          try {
            line.send("quit");
          } catch (IOException e) {
            // It has ended already.
          }
        }
      }
    }
    Process running = process;
    try {
      if (running != null && running.waitFor(GRACE_MILLIS, TimeUnit.MILLISECONDS)) {
        closeLines();
        deleteFiles();
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    kill();
  }

  /** Ends all processes of the subject. */
  void kill() {
    Process running = process;
    if (running != null && running.isAlive()) {
      List<ProcessHandle> children = running.descendants().toList();
      // Those that start others end them, given the time.
      running.destroy();
      try {
        running.waitFor(GRACE_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      Processes.kill(children);
      running.destroyForcibly();
    }
    closeLines();
    deleteFiles();
  }

  private void closeLines() {
    synchronized (lines) {
      for (RankLine line : lines) {
        if (line != null) {
          line.close();
        }
      }
    }
  }

  private void deleteFiles() {
    files.forEach(Folders::delete);
  }
}
