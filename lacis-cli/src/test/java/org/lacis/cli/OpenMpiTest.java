package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lacis.boot.LauncherProbes;
import org.lacis.net.Probe;

/** Programs under mpirun of Open MPI, if it and libpmix are installed. */
class OpenMpiTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir static Path classes;

  private static @Nullable String mpirun;

  @BeforeAll
  static void prepare() throws IOException {
    mpirun = ForeignPrograms.find("mpirun.openmpi");
    assumeTrue(mpirun != null, "mpirun.openmpi (package openmpi-bin) is not installed");
    assumeTrue(LauncherProbes.pmix() instanceof Probe.Ready, "libpmix is not installed");
    ForeignPrograms.compile(classes);
  }

  private static LauncherRun run(int ranks, String... args) throws IOException {
    return LauncherRun.under(
        List.of(
            String.valueOf(mpirun),
            "--allow-run-as-root",
            "--oversubscribe",
            "-n",
            Integer.toString(ranks)),
        Map.of(),
        classes,
        args);
  }

  @Test
  void ranksTalkByEveryProtocolAndEnd() throws Exception {
    try (LauncherRun run = run(3, "AllToAll", "3", "70000")) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.outLines())
          .hasSize(3)
          .allMatch(line -> line.matches("rank [0-2] of 3 is content with .*"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "throw,its main thread has thrown an exception",
    "exit,it leaves with a runtime open"
  })
  void aRankThatFailsEndsTheJobAndNamesItself(String how, String why) throws Exception {
    try (LauncherRun run = run(3, "AllToAll", "10", "20000", how, "1")) {
      assertThat(run.exitCode(SOON)).as(run::dump).isNotZero();
      assertThat(run.err()).contains("lacis: rank 1 ends the job: " + why);
    }
  }

  @Test
  void aRankThatIsKilledEndsTheJob() throws Exception {
    try (LauncherRun run = run(3, "Stays", "take", "sleep")) {
      run.awaitReady(3).get(2).destroyForcibly();
      assertThat(run.exitCode(SOON)).as(run::dump).isNotZero();
      assertThat(run.err()).contains("rank 2");
    }
  }

  @Test
  void ranksEndIfTheLauncherIsKilled() throws Exception {
    try (LauncherRun run = run(2, "Stays", "take")) {
      List<ProcessHandle> ranks = run.awaitReady(2);
      run.process().destroyForcibly();
      run.awaitEnd(ranks, SOON);
      run.exitCode(SOON);
    }
  }
}
