package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lacis.cli.LauncherRun.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that talk over tcp: traffic, and ranks that close, are killed or stopped. */
class TcpProcessesTest {

  /** What a job may take from the moment something has happened to it until it has ended. */
  private static final Duration SOON = Duration.ofSeconds(30);

  private static String program(String name) {
    return LauncherRun.program("runtime/" + name);
  }

  @Test
  void ranksTalkByEveryProtocolAndEnd() throws Exception {
    try (LauncherRun run =
        run("-n", "3", "--net", "tcp", program("AllToAll.java"), "20", "1048577")) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.err()).isEmpty();
      assertThat(run.outLines()).hasSize(3).allMatch(line -> line.contains("tcp at 127.0.0.1"));
    }
  }

  /** TLS changes its keys now and then, after a hundred gigabytes or, as here, a megabyte. */
  @Test
  void ranksTalkInTls(@TempDir Path folder) throws Exception {
    Path security = folder.resolve("security");
    Files.writeString(security, "jdk.tls.keyLimits=AES/GCM/NoPadding KeyUpdate 2^20\n");
    try (LauncherRun run =
        run(
            "-n",
            "3",
            "--net",
            "tcp",
            "--env",
            "LACIS_TCP_TLS=true",
            "--jvm",
            "-Djava.security.properties=" + security,
            program("AllToAll.java"),
            "5",
            "1048577")) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.err()).isEmpty();
      assertThat(run.outLines()).hasSize(3).allMatch(line -> line.contains("in TLS 1.3"));
    }
  }

  @Test
  void ranksThatLeaveTheLastBarrierFirstAreNotMissed() throws Exception {
    try (LauncherRun run = run("-n", "4", "--net", "tcp", program("Reopens.java"), "20")) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.outLines()).hasSize(4).allMatch("opened 20 times"::equals);
    }
  }

  @Test
  void operationsWithARankThatHasClosedNameIt() throws Exception {
    try (LauncherRun run = run("-n", "4", "--net", "tcp", program("Leaves.java"))) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.outLines())
          .hasSize(3)
          .allMatch(line -> line.endsWith(" misses rank 1 and nobody else"));
    }
  }

  @Test
  void aRankThatIsKilledInTheMiddleOfTrafficEndsTheJob() throws Exception {
    try (LauncherRun run =
        run("-n", "3", "--net", "tcp", program("AllToAll.java"), "10", "20000", "kill", "0")) {
      assertThat(run.exitCode()).as(run::dump).isEqualTo(137);
      assertThat(run.err()).contains("lacis: rank 0 was ended by SIGKILL (exit code 137)");
    }
  }

  @Test
  void aRankThatIsStoppedIsGoneAfterTheDetectionTime() throws Exception {
    try (LauncherRun run =
        run(
            "-n",
            "2",
            "--net",
            "tcp",
            "--env",
            "LACIS_DETECTION=1s",
            program("Stays.java"),
            "await",
            "sleep")) {
      ProcessHandle last = run.awaitReady(2).get(1);
      signal("-STOP", last);
      assertThat(run.exitCode(SOON)).as(run::dump).isEqualTo(1);
      assertThat(run.err())
          .contains(
              "lacis: rank 1 does not answer; rank 0 says: rank 1 is gone: nothing was heard");
    }
  }

  /** A rank that does nothing for several detection times, but is there, is not missed. */
  @Test
  void aRankThatSleepsIsNotGone() throws Exception {
    try (LauncherRun run =
        run(
            "-n",
            "2",
            "--net",
            "tcp",
            "--env",
            "LACIS_DETECTION=500ms",
            "--timeout",
            "6s",
            program("Stays.java"),
            "await",
            "sleep")) {
      run.awaitReady(2);
      assertThat(run.exitCode(SOON)).as(run::dump).isNotZero();
      assertThat(run.err()).doesNotContain("is gone").contains("still running");
    }
  }

  private static void signal(String signal, ProcessHandle process)
      throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
    assertThat(code).as("exit code of kill").isZero();
  }
}
