package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lacis.boot.LauncherProbes;
import org.lacis.net.Probe;

/** Programs under srun, where a Slurm runs and takes jobs of this user; docs/hacking.md has how. */
class SlurmTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir static Path classes;

  @BeforeAll
  static void prepare() throws IOException, InterruptedException {
    assumeTrue(ForeignPrograms.find("srun") != null, "srun (package slurm-client) is missing");
    Process test =
        new ProcessBuilder("srun", "--immediate=5", "-n", "1", "true")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    boolean ended = test.waitFor(20, TimeUnit.SECONDS);
    test.destroyForcibly();
    assumeTrue(ended && test.exitValue() == 0, "there is no Slurm that takes jobs");
    ForeignPrograms.compile(classes);
  }

  private static LauncherRun run(String pmi, String mpi, String... args) throws IOException {
    return LauncherRun.under(
        List.of("srun", "--quiet", "--overcommit", "--kill-on-bad-exit", "--mpi=" + mpi, "-n", "3"),
        Map.of("LACIS_LAUNCHER", pmi),
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
