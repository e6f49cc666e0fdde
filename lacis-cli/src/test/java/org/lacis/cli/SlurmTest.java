package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lacis.boot.LauncherProbes;
import org.lacis.net.Probe;

/** Programs under srun: of a Slurm that takes jobs of this user, or else of one of our own. */
class SlurmTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir static Path classes;

  /** Started for these tests; null if there was one already. */
  private static @Nullable OneNodeSlurm own;

  @BeforeAll
  static void prepare() throws IOException, InterruptedException {
    assumeTrue(ForeignPrograms.find("srun") != null, "srun (package slurm-client) is missing");
    if (!OneNodeSlurm.takesJobs(Map.of())) {
      String obstacle = OneNodeSlurm.obstacle();
      assumeTrue(obstacle == null, "there is no Slurm that takes jobs, and " + obstacle);
      own = new OneNodeSlurm();
    }
    ForeignPrograms.compile(classes);
  }

  @AfterAll
  static void stop() throws IOException, InterruptedException {
    if (own != null) {
      own.close();
    }
  }

  private static LauncherRun run(String pmi, String mpi, String... args) throws IOException {
    Map<String, String> env = new HashMap<>(own == null ? Map.of() : own.environment());
    env.put("LACIS_LAUNCHER", pmi);
    return LauncherRun.under(
        List.of("srun", "--quiet", "--overcommit", "--kill-on-bad-exit", "--mpi=" + mpi, "-n", "3"),
        env,
        classes,
        args);
  }

  @ParameterizedTest
  @CsvSource({"auto,pmi2", "pmi1,pmi2", "auto,pmix"})
  void ranksTalkByEveryProtocolAndEnd(String pmi, String mpi) throws Exception {
    assumeTrue(mpi.equals("pmi2") || LauncherProbes.pmix() instanceof Probe.Ready);
    try (LauncherRun run = run(pmi, mpi, "AllToAll", "3", "70000")) {
      assertThat(run.exitCode(SOON)).as(run::dump).isZero();
      assertThat(run.outLines())
          .hasSize(3)
          .allMatch(line -> line.matches("rank [0-2] of 3 is content with .*"));
    }
  }

  @Test
  void withoutAWayToTheOthersItSaysHowToGetOne() throws Exception {
    try (LauncherRun run = run("auto", "none", "Greets")) {
      assertThat(run.exitCode(SOON)).as(run::dump).isNotZero();
      assertThat(run.err()).contains("start it with srun --mpi=pmi2");
    }
  }

  @ParameterizedTest
  @CsvSource({"pmi2", "pmix"})
  void aRankThatIsKilledEndsTheJob(String mpi) throws Exception {
    assumeTrue(mpi.equals("pmi2") || LauncherProbes.pmix() instanceof Probe.Ready);
    try (LauncherRun run = run("auto", mpi, "Stays", "take", "sleep")) {
      run.awaitReady(3).get(2).destroyForcibly();
      assertThat(run.exitCode(SOON)).as(run::dump).isNotZero();
    }
  }
}
