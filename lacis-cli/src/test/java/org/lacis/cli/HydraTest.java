package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs under the mpiexec of MPICH, if it is installed. */
class HydraTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir static Path classes;

  private static @Nullable String mpiexec;

  @BeforeAll
  static void prepare() throws IOException {
    mpiexec = ForeignPrograms.find("mpiexec.hydra");
    assumeTrue(mpiexec != null, "mpiexec.hydra (package mpich) is not installed");
    ForeignPrograms.compile(classes);
  }

  private static LauncherRun run(String pmi, int ranks, String... args) throws IOException {
    return run(pmi, List.of(), ranks, args);
  }

  private static LauncherRun run(String pmi, List<String> options, int ranks, String... args)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(String.valueOf(mpiexec));
    command.addAll(options);
    command.addAll(List.of("-n", Integer.toString(ranks)));
    return LauncherRun.under(command, Map.of("LACIS_LAUNCHER", pmi), classes, args);
  }

  @ParameterizedTest
  @CsvSource({"auto,false", "pmi1,false", "pmi2,false", "pmi1,true", "pmi2,true"})
  void ranksTalkByEveryProtocolAndEnd(String pmi, boolean port) throws Exception {
    List<String> options = port ? List.of("-pmi-port") : List.of();
    try (LauncherRun run = run(pmi, options, 3, "AllToAll", "3", "70000")) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.err()).isEmpty();
      assertThat(run.outLines())
          .hasSize(3)
          .allMatch(line -> line.matches("rank [0-2] of 3 is content with .*"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "pmi1,throw,its main thread has thrown an exception",
    "pmi2,throw,its main thread has thrown an exception",
    "pmi1,exit,it leaves with a runtime open",
    "pmi2,exit,it leaves with a runtime open"
  })
  void aRankThatFailsEndsTheJobAndNamesItself(String pmi, String how, String why) throws Exception {
    try (LauncherRun run = run(pmi, 3, "AllToAll", "10", "20000", how, "1")) {
      assertThat(run.exitCode(SOON)).as(run::dump).isNotZero();
      assertThat(run.err()).contains("lacis: rank 1 ends the job: " + why);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmi1", "pmi2"})
  void aRankThatIsKilledEndsTheJob(String pmi) throws Exception {
    try (LauncherRun run = run(pmi, 3, "Stays", "take", "sleep")) {
      run.awaitReady(3).get(2).destroyForcibly();
      assertThat(run.exitCode(SOON)).as(run::dump).isNotZero();
      assertThat(run.out()).contains("Killed (signal 9)");
    }
  }

  @ParameterizedTest
  @CsvSource({"pmi1,leaves", "pmi2,leaves", "pmi1,stays", "pmi2,stays"})
  void openHasALimit(String pmi, String how) throws Exception {
    try (LauncherRun run = run(pmi, 3, "NeverOpens", how)) {
      assertThat(run.exitCode()).as(run::dump).isNotZero();
      assertThat(run.err()).contains("LacisException", "waited 2000 ms in a fence");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"take", "spin", "barrier"})
  void ranksEndIfTheLauncherIsKilled(String how) throws Exception {
    try (LauncherRun run = run("auto", 2, "Stays", how, "take")) {
      List<ProcessHandle> ranks = run.awaitReady(2);
      run.process().destroyForcibly();
      run.awaitEnd(ranks, SOON);
      run.exitCode(SOON);
    }
  }

  @Test
  void aProcessThatIsToBeAloneIsAlone() throws Exception {
    try (LauncherRun run = run("none", 2, "Greets")) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.outLines()).containsOnly("hello from rank 0").hasSize(2);
    }
  }
}
