package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.lacis.cli.LauncherRun.heedsInterrupts;
import static org.lacis.cli.LauncherRun.outputTo;
import static org.lacis.cli.LauncherRun.program;
import static org.lacis.cli.LauncherRun.run;
import static org.lacis.cli.LauncherRun.runInGroup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.testkit.Await;

/**
 * What {@code lacis run} does when something goes wrong. Closing the run checks that nothing is
 * left of it.
 */
class RunFailuresTest {
  private static final String NO_SPACE = "No space left on device\n";

  @Test
  void anExceptionInOneRankEndsTheJobAndIsShown() throws Exception {
    try (LauncherRun run = run("-n", "3", program("Throws.java"))) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains(
              "Exception in thread \"main\" java.lang.IllegalStateException: thrown on purpose")
          .contains("\tat Throws.deeper(Throws.java:16)\n\tat Throws.main(Throws.java:9)\n")
          .contains("Caused by: java.lang.RuntimeException: the cause")
          .contains("lacis: rank 1 ended with exit code 1")
          .contains("the last lines rank 1 wrote to standard error:\n    Exception in thread")
          .doesNotContain("RankMain", "MainMethod");
    }
  }

  @Test
  void whatALongStackTraceIsAboutIsShownWithItsEnd() throws Exception {
    try (LauncherRun run = run("-n", "2", program("ThrowsDeep.java"))) {
      assertThat(run.exitCode()).isEqualTo(1);
      String report = run.err().substring(run.err().indexOf("lacis: rank 1 ended"));
      assertThat(report)
          .contains(
              """
              the last lines rank 1 wrote to standard error:
                  Exception in thread "main" java.lang.IllegalStateException: deep down
                  \t...
                  Caused by: java.lang.RuntimeException: the cause
                  \t...
              """);
      assertThat(report.lines()).hasSizeLessThan(20);
    }
  }

  @ParameterizedTest
  @CsvSource({"0,3", "1,77"})
  void theExitCodeOfTheRankThatFailedIsTheJobs(String rank, int code) throws Exception {
    try (LauncherRun run = run("-n", "2", program("Exits.java"), rank, Integer.toString(code))) {
      assertThat(run.exitCode()).isEqualTo(code);
      assertThat(run.err()).contains("lacis: rank " + rank + " ended with exit code " + code);
    }
  }

  @Test
  void aRankThatIsKilledEndsTheJob() throws Exception {
    try (LauncherRun run = run("-n", "2", program("Waits.java"), "open")) {
      run.awaitReady(2).get(1).destroyForcibly();
      assertThat(run.exitCode()).isEqualTo(137);
      assertThat(run.err()).contains("lacis: rank 1 was ended by SIGKILL (exit code 137)");
    }
  }

  @Test
  void theLastWordsOfRanksThatAreEndedAreHeard() throws Exception {
    try (LauncherRun run = run("-n", "4", program("Waits.java"), "polite")) {
      run.awaitReady(4).get(2).destroyForcibly();
      assertThat(run.exitCode()).isEqualTo(137);
      assertThat(run.outLines()).contains("goodbye 0", "goodbye 1", "goodbye 3");
    }
  }

  @Test
  void aRankThatDoesNotEndWhenAskedToIsKilled() throws Exception {
    try (LauncherRun run = run("-n", "2", program("Waits.java"), "stubborn")) {
      run.awaitReady(2).get(0).destroyForcibly();
      assertThat(run.exitCode()).isEqualTo(137);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "open", "stubborn"})
  void ranksEndByThemselvesIfTheLauncherIsKilled(String how) throws Exception {
    try (LauncherRun run = run("-n", "2", program("Waits.java"), how)) {
      List<ProcessHandle> ranks = run.awaitReady(2);
      run.process().destroyForcibly();
      assertThat(run.exitCode()).isEqualTo(137);
      for (ProcessHandle rank : ranks) {
        rank.onExit().get(30, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void nothingIsLeftIfTheLauncherIsKilled() throws Exception {
    try (LauncherRun run = run("-n", "2", program("Litters.java"), "stay")) {
      run.awaitReady(2);
      run.process().destroyForcibly();
      assertThat(run.exitCode()).isEqualTo(137);
    }
  }

  @ParameterizedTest
  @CsvSource({"INT,130", "TERM,143"})
  void aSignalEndsAllRanks(String signal, int code) throws Exception {
    assumeThat(signal.equals("TERM") || heedsInterrupts()).isTrue();
    try (LauncherRun run = run("-n", "2", program("Litters.java"), "stay")) {
      run.awaitReady(2);
      run.signal(signal);
      assertThat(run.exitCode()).isEqualTo(code);
      assertThat(run.err()).isEqualTo("lacis: interrupted; all ranks have ended\n");
    }
  }

  @Test
  void anInterruptFromTheTerminalReachesTheRanksTooAndIsNoFailureOfTheirs() throws Exception {
    assumeThat(heedsInterrupts()).isTrue();
    try (LauncherRun run = runInGroup("-n", "3", program("Waits.java"))) {
      run.awaitReady(3);
      run.signalGroup("INT");
      assertThat(run.exitCode()).isEqualTo(130);
      assertThat(run.err()).isEqualTo("lacis: interrupted; all ranks have ended\n");
    }
  }

  @Test
  void whatRanksLeaveBehindIsRemovedAtTheEnd() throws Exception {
    try (LauncherRun run = run("-n", "2", program("Litters.java"), "go")) {
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.jobId()).matches("[0-9a-f]{32}");
    }
  }

  @Test
  void aRankThatNeverOpensWhileOthersWaitIsNamed() throws Exception {
    try (LauncherRun run = run("-n", "3", program("Absent.java"), "-1")) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains(
              "lacis: rank 1 ended without calling Lacis.open() while ranks 0, 2 wait for it\n");
    }
  }

  @Test
  void aRankThatLeavesWhileOthersWaitIsNamed() throws Exception {
    try (LauncherRun run = run("-n", "2", program("Absent.java"), "2")) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("lacis: rank 1 ended while rank 0 waits for it\n");
    }
  }

  @Test
  void aRankThatEndsWithItsRuntimeOpenHasFailedThoughItsCodeSaysOtherwise() throws Exception {
    try (LauncherRun run = run("-n", "2", program("runtime/Dies.java"))) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains("lacis: rank 1 ended with exit code 0 without closing its runtime\n");
    }
  }

  @Test
  void ofARankThatEndsWithItsRuntimeOpenOthersHear() throws Exception {
    try (LauncherRun run = run("-n", "3", "--keep-going", program("runtime/Dies.java"), "exit")) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains(
              "lacis: rank 1 ended with exit code 0 without closing its runtime; the job goes"
                  + " on\n");
      assertThat(run.outLines())
          .containsExactlyInAnyOrder("rank 0 misses rank 1", "rank 2 misses rank 1");
    }
  }

  @Test
  void aLauncherThatComesTooLateToHearRanksCloseStillKnowsIt() throws Exception {
    try (LauncherRun run = run("-n", "2", program("runtime/Halts.java"))) {
      List<ProcessHandle> ranks = run.awaitReady(2);
      run.signal("STOP");
      run.in().write('\n');
      run.in().flush();
      for (ProcessHandle rank : ranks) {
        Await.until("a rank to end", Duration.ofSeconds(60), () -> isZombie(rank));
      }
      run.signal("CONT");
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.err()).isEmpty();
    }
  }

  /** Whether a process has ended, and its parent has not asked how. */
  private static boolean isZombie(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"))
          .contains(") Z ");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anAbortEndsTheJobWithItsCode() throws Exception {
    try (LauncherRun run = run("-n", "2", program("Aborts.java"))) {
      assertThat(run.exitCode()).isEqualTo(5);
      assertThat(run.err())
          .contains(
              "rank 0 aborts the job: enough is enough",
              "lacis: rank 0 aborted the job with code 5");
    }
  }

  @Test
  void aJobThatTakesTooLongIsEnded() throws Exception {
    try (LauncherRun run = run("-n", "3", "--timeout", "1500ms", program("Waits.java"))) {
      assertThat(run.exitCode()).isEqualTo(124);
      assertThat(run.err()).contains("lacis: timed out after 1500ms with ranks 0-2 still running");
    }
  }

  @Test
  void aJobThatTakesTooLongShowsWhereItsRanksAre() throws Exception {
    // The rank that is stopped must not count as gone before the time is over.
    String[] command = {
      "-n", "3", "--timeout", "10s", "--env", "LACIS_DETECTION=5m", program("Hangs.java")
    };
    try (LauncherRun run = run(command)) {
      List<ProcessHandle> ranks = run.awaitReady(3);
      new ProcessBuilder("kill", "-STOP", Long.toString(ranks.get(2).pid())).start().waitFor();
      assertThat(run.exitCode()).isEqualTo(124);
      assertThat(run.err())
          .startsWith("lacis: where the ranks are:\n")
          .containsPattern("rank 0:\n  main, waiting\n(    at .*\n)+    at Hangs.forever.*\n")
          .containsPattern("  worker-., worker-., worker-., waiting\n(    at .*\n)+")
          .containsPattern("rank 1:\n  main, .*\n(    at .*\n)*    at org.lacis.*Barrier.await.*\n")
          .contains("\nrank 2: no answer\n")
          .endsWith("lacis: timed out after 10s with ranks 0-2 still running\n")
          .doesNotContain("RankMain", "Finalizer", "lacis-launcher");
    }
  }

  @Test
  void aJobThatTakesTooLongShowsWhatItHasUnderWay() throws Exception {
    try (LauncherRun run = run("-n", "2", "--timeout", "6s", program("runtime/Stuck.java"))) {
      assertThat(run.exitCode()).isEqualTo(124);
      assertThat(run.err())
          .contains("\nwhat they have under way:\nrank 0:\n  Lacis[stuck, rank 0 of 2, shm]\n")
          .contains("  main waits for Synchronizer[reply, 0 of 1], for ")
          .contains(
              "  recv from rank 1, tag 7, up to 100 bytes, signals Synchronizer[reply, 0 of 1]")
          .contains("  message from rank 1, tag 8, 5 bytes, for ")
          .contains("\nrank 1:\n  Lacis[stuck, rank 1 of 2, shm]\n")
          .contains("  main waits for barrier 1: rank 0 has not come to round 0, for ")
          .endsWith("lacis: timed out after 6s with ranks 0, 1 still running\n");
    }
  }

  @Test
  void aJobWhoseOutputNobodyReadsIsEnded() throws Exception {
    try (LauncherRun run = run("-n", "1", program("Many.java"), "2000000000")) {
      run.awaitOut("line 1000");
      run.process().getInputStream().close();
      assertThat(run.exitCode()).isEqualTo(141);
    }
  }

  @Test
  void outputThatCannotBeWrittenIsAFailure() throws Exception {
    try (LauncherRun run = outputTo("/dev/full", "-n", "2", program("Waits.java"), "plain")) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).isEqualTo("lacis: standard output cannot be written: " + NO_SPACE);
    }
    try (LauncherRun run = outputTo("/dev/full", "-n", "2", "--dry-run", program("Hello.java"))) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).startsWith("lacis: standard output cannot be written: ");
    }
  }

  @Test
  void aJvmThatDoesNotStartIsReported() throws Exception {
    try (LauncherRun run = run("-n", "2", "--jvm", "-XX:+NoSuchOption", program("Hello.java"))) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("NoSuchOption", "ended with exit code 1");
    }
  }

  @Test
  void nothingOfAnOpenRuntimeIsLeftIfTheLauncherIsKilled() throws Exception {
    try (LauncherRun run = run("-n", "3", program("Opens.java"))) {
      run.awaitReady(3);
      run.process().destroyForcibly();
      assertThat(run.exitCode()).isEqualTo(137);
    }
  }

  @Test
  void nothingOfAnOpenRuntimeIsLeftIfARankIsKilled() throws Exception {
    try (LauncherRun run = run("-n", "3", program("Opens.java"))) {
      run.awaitReady(3).get(2).destroyForcibly();
      assertThat(run.exitCode()).isEqualTo(137);
      assertThat(run.err()).contains("lacis: rank 2 was ended by SIGKILL");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a rank", "the launcher", "all ranks", "everything but rank 1"})
  void noSharedMemoryIsLeftOfAJobThatIsKilledWhileItOpens(String killed) throws Exception {
    try (LauncherRun run = run("-n", "3", "--net", "shm", program("OpensAlone.java"))) {
      List<ProcessHandle> ranks = run.awaitReady(3);
      Path file = Path.of("/dev/shm/lacis-" + run.jobId() + "-");
      Await.until(
          "files of shared memory",
          () -> Files.exists(Path.of(file + "0")) && Files.exists(Path.of(file + "1")));
      if (killed.startsWith("every") || killed.equals("the launcher")) {
        run.process().destroyForcibly();
      }
      if (!killed.equals("the launcher")) {
        ranks.get(0).destroyForcibly();
      }
      if (killed.equals("all ranks")) {
        ranks.get(1).destroyForcibly();
        ranks.get(2).destroyForcibly();
      }
      assertThat(run.exitCode()).isEqualTo(137);
    }
  }

  @Test
  void whatIsLeftOfAJobThatWasKilledAltogetherIsRemovedByALaterOne() throws Exception {
    String job = UUID.randomUUID().toString().replace("-", "");
    Path old = Files.createFile(Path.of("/dev/shm/lacis-" + job + "-0"));
    try {
      FileTime yesterday = FileTime.from(Instant.now().minus(Duration.ofDays(1)));
      Files.setLastModifiedTime(old, yesterday);
      try (LauncherRun run = run("-n", "1", program("runtime/Greets.java"))) {
        assertThat(run.exitCode()).as(run::dump).isZero();
      }
      assertThat(old).doesNotExist();
    } finally {
      Files.deleteIfExists(old);
    }
  }

  @Test
  void aRankThatDoesNotOpenARuntimeIsNamed() throws Exception {
    try (LauncherRun run = run("-n", "4", program("Opens.java"), "1", "2")) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains(
              "lacis: ranks 1, 2 ended without calling Lacis.open() while ranks 0, 3 wait for"
                  + " them");
    }
  }
}
