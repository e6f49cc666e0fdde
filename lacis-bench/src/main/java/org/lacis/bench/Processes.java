package org.lacis.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * All processes of a run. Once the end has begun none is started any more, and when it is over none
 * is left. Any thread may call.
 */
final class Processes {
  private static final long GRACE_NANOS = 2_000_000_000L;
  private static final long POLL_MILLIS = 20;

  /** In the environment of each of them, and of those that they start. */
  private static final String MARK = "BENCH_RUN";

  private final String mark = UUID.randomUUID().toString();
  private final List<Process> started = new ArrayList<>();
  private boolean ended;

  /**
   * Starts a process.
   *
   * @throws InterruptedException if the end has begun
   */
  synchronized Process start(ProcessBuilder builder) throws IOException, InterruptedException {
    goOn();
    builder.environment().put(MARK, mark);
    Process process = builder.start();
    started.removeIf(each -> !each.isAlive());
    started.add(process);
    return process;
  }

  /**
   * Does nothing while the run goes on.
   *
   * @throws InterruptedException if the end has begun
   */
  synchronized void goOn() throws InterruptedException {
    if (ended) {
      throw new InterruptedException("the run has been ended");
    }
  }

  /** Ends all of them: those that do not end within a moment are killed. */
  void end() {
    List<Process> mine;
    synchronized (this) {
      ended = true;
      mine = List.copyOf(started);
    }
    // Those that start others end them, given the time.
    mine.forEach(Process::destroy);
    if (!awaitNone()) {
      kill(all());
      awaitNone();
    }
  }

  /** Ends processes at once, and removes what they had no time to. */
  static void kill(List<ProcessHandle> deaf) {
    Map<Long, Instant> starts = new HashMap<>();
    deaf.forEach(
        process ->
            process.info().startInstant().ifPresent(start -> starts.put(process.pid(), start)));
    deaf.forEach(ProcessHandle::destroyForcibly);
    deaf.forEach(
        process ->
            process.onExit().completeOnTimeout(process, GRACE_NANOS, TimeUnit.NANOSECONDS).join());
    starts.forEach((pid, start) -> Folders.deleteRegions(Folders.SHARED_MEMORY, pid, start));
  }

  private boolean awaitNone() {
    long deadline = System.nanoTime() + GRACE_NANOS;
    while (!all().isEmpty()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }

  /** Those that are alive, and those that they have started. */
  private List<ProcessHandle> all() {
    List<Process> mine;
    synchronized (this) {
      mine = List.copyOf(started);
    }
    // What has lost its parent is no descendant any more, but has its environment still.
    return Stream.concat(
            mine.stream()
                .flatMap(
                    process -> Stream.concat(Stream.of(process.toHandle()), process.descendants())),
            ProcessHandle.allProcesses().filter(this::isMarked))
        .filter(ProcessHandle::isAlive)
        .distinct()
        .toList();
  }

  private boolean isMarked(ProcessHandle process) {
    try {
      byte[] environment = Files.readAllBytes(Path.of("/proc", process.pid() + "", "environ"));
      return new String(environment, StandardCharsets.ISO_8859_1).contains(MARK + "=" + mark);
    } catch (IOException e) {
      return false; // Gone, or of another user, or there is no such file on this system.
    }
  }
}
