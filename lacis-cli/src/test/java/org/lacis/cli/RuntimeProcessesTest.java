package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.lacis.cli.LauncherRun.run;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The runtime in real processes under the real launcher: traffic, and every way a job may end.
 * Closing a run checks that no process, shared memory or file is left of it; one that hangs is
 * ended and shows the stacks of all ranks.
 */
class RuntimeProcessesTest {
  private static final String BULK = "1048577";

  /** What a job may take from the moment something has happened to it until it has ended. */
  private static final Duration SOON = Duration.ofSeconds(20);

  private static String program(String name) {
    return LauncherRun.program("runtime/" + name);
  }

  /** One line for each rank, in any order. */
  private static List<String> ofEachRank(int ranks, String start, String end) {
    return IntStream.range(0, ranks).mapToObj(rank -> start + rank + end).toList();
  }

  private static void assertContent(LauncherRun run, int ranks)
      throws IOException, InterruptedException {
    assertThat(run.exitCode()).as(run::dump).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.outLines())
        .extracting(line -> line.split(" is content with ")[0])
        .containsExactlyInAnyOrderElementsOf(ofEachRank(ranks, "rank ", " of " + ranks));
  }

  // ---- traffic

  @Test
  void ranksTalkByEveryProtocolAndEnd() throws Exception {
    try (LauncherRun run = run("-n", "3", program("AllToAll.java"), "20", "70000")) {
      assertContent(run, 3);
    }
  }

  @Test
  void sixteenRanksTalkWithEachOther() throws Exception {
    try (LauncherRun run = run("-n", "16", program("AllToAll.java"), "2", "20000")) {
      assertContent(run, 16);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void whoMakesADeviceLateIsNotMissedThere(String network) throws Exception {
    try (LauncherRun run =
        run(
            "-n",
            "2",
            "--net",
            network,
            "--jvm",
            "-Dlacis.detection=1s",
            program("ComesLate.java"),
            "3000")) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.outLines())
          .containsExactlyInAnyOrderElementsOf(ofEachRank(2, "rank ", " has heard of the other"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "mapped", "vm", "pipeline"})
  void bulkDataArrivesWholeByEveryPath(String path) throws Exception {
    try (LauncherRun run =
        run("-n", "2", "--jvm", "-Dlacis.shm.bulk=" + path, program("AllToAll.java"), "4", BULK)) {
      assertContent(run, 2);
      assertThat(run.outLines()).allMatch(line -> line.contains("bulk data: " + path));
    }
  }

  @Test
  void aWrongBulkPathIsExplained() throws Exception {
    try (LauncherRun run =
        run("-n", "2", "--jvm", "-Dlacis.shm.bulk=carrier", program("Greets.java"))) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains("lacis.shm.bulk is carrier, but must be one of auto, mapped, vm, pipeline");
    }
  }

  @Test
  void aWrongValueInTheEnvironmentIsExplained() throws Exception {
    try (LauncherRun run = run("--env", "LACIS_RING_CELLS=1000", program("Greets.java"))) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains("LACIS_RING_CELLS is 1000, but must be a power of two from 16 to 1048576");
    }
  }

  @Test
  void aMisspeltVariableIsWarnedOfOnce() throws Exception {
    try (LauncherRun run = run("-n", "2", "--env", "LACIS_RING_CELS=64", program("Greets.java"))) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.err()).containsOnlyOnce("LACIS_RING_CELS means nothing to Lacis");
      assertThat(run.err()).contains("is LACIS_RING_CELLS meant?");
    }
  }

  @Test
  void twoRuntimesInEveryProcessKeepApart() throws Exception {
    try (LauncherRun run = run("-n", "3", program("TwoRuntimes.java"))) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.outLines())
          .containsExactlyInAnyOrderElementsOf(ofEachRank(3, "rank ", " had two runtimes"));
    }
  }

  @Test
  void ranksThatLeaveTheLastBarrierFirstAreNotMissed() throws Exception {
    try (LauncherRun run = run("-n", "4", program("Reopens.java"), "100")) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.outLines()).hasSize(4).allMatch("opened 100 times"::equals);
    }
  }

  @Test
  void moreRanksThanCoresStillGetOn() throws Exception {
    try (LauncherRun run = run("-n", "8", program("Crowd.java"), "1000")) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.outLines())
          .containsExactlyInAnyOrderElementsOf(ofEachRank(8, "rank ", " has played"));
    }
  }

  /** Many times as many as there are cores; with {@code -Dlacis.long=true} 64. */
  @Test
  @Timeout(400)
  void manyRanksSayHello() throws Exception {
    int ranks = Boolean.getBoolean("lacis.long") ? 64 : 24;
    try (LauncherRun run = run("-n", Integer.toString(ranks), program("Greets.java"))) {
      assertThat(run.exitCode(Duration.ofMinutes(5))).as(run::dump).isZero();
      assertThat(run.outLines())
          .containsExactlyInAnyOrderElementsOf(ofEachRank(ranks, "hello from rank ", ""));
    }
  }

  @Test
  void withoutALauncherAProgramIsAJobOfOneRank() throws Exception {
    try (LauncherRun run =
        LauncherRun.java("--enable-native-access=ALL-UNNAMED", program("Alone.java"))) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.out()).isEqualTo("rank 0 of 1\n");
      assertThat(run.err()).isEmpty();
    }
  }

  // ---- ranks that fail

  @Test
  void anExceptionInTheMiddleOfTrafficEndsTheJobAndNamesItsRank() throws Exception {
    try (LauncherRun run = run("-n", "6", program("AllToAll.java"), "10", "20000", "throw", "1")) {
      assertThat(run.exitCode()).as(run::dump).isEqualTo(1);
      assertThat(run.err())
          .contains("IllegalStateException: thrown in the middle of it all")
          .contains("lacis: rank 1 ended with exit code 1"); // not one of those who miss it
    }
  }

  @Test
  void anExitInTheMiddleOfTrafficEndsTheJobWithItsCode() throws Exception {
    try (LauncherRun run = run("-n", "3", program("AllToAll.java"), "10", "20000", "exit", "2")) {
      assertThat(run.exitCode()).as(run::dump).isEqualTo(3);
      assertThat(run.err()).contains("lacis: rank 2 ended with exit code 3");
    }
  }

  @Test
  void aRankThatIsKilledInTheMiddleOfTrafficEndsTheJob() throws Exception {
    try (LauncherRun run = run("-n", "3", program("AllToAll.java"), "10", "20000", "kill", "0")) {
      assertThat(run.exitCode()).as(run::dump).isEqualTo(137);
      assertThat(run.err()).contains("lacis: rank 0 was ended by SIGKILL (exit code 137)");
    }
  }

  @Test
  void anExitWhileOthersAreInABarrierEndsTheJobWithItsCode() throws Exception {
    try (LauncherRun run = run("-n", "3", program("Stays.java"), "barrier", "exit")) {
      assertThat(run.exitCode()).as(run::dump).isEqualTo(3);
      assertThat(run.err()).contains("lacis: rank 2 ended with exit code 3");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "await,sleep",
    "await,await",
    "virtual,sleep",
    "barrier,spin",
    "take,sleep",
    "spin,idle"
  })
  void aRankThatIsKilledWhileOthersWaitForItEndsTheJob(String others, String killed)
      throws Exception {
    try (LauncherRun run = run("-n", "3", program("Stays.java"), others, killed)) {
      run.awaitReady(3).get(2).destroyForcibly();
      assertThat(run.exitCode(SOON)).as(run::dump).isEqualTo(137);
      assertThat(run.err()).contains("lacis: rank 2 was ended by SIGKILL (exit code 137)");
    }
  }

  @Test
  void aRankThatNeverOpensWhileOthersWaitInOpenIsNamed() throws Exception {
    try (LauncherRun run = run("-n", "3", program("NeverOpens.java"), "leaves")) {
      assertThat(run.exitCode()).as(run::dump).isEqualTo(1);
      assertThat(run.err())
          .containsPattern(
              "lacis: rank 2 ended without calling Lacis.open\\(\\) while ranks? [01].* for it");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void whoMakesADeviceHearsOfARankThatDiesMeanwhile(String network) throws Exception {
    try (LauncherRun run =
        run("-n", "3", "--keep-going", "--net", network, program("Perishes.java"), "device")) {
      assertThat(run.exitCode(SOON)).as(run::dump).isEqualTo(3);
      for (int rank = 0; rank < 2; rank++) {
        String of = "rank " + rank + ": ";
        assertThat(run.outLines())
            .filteredOn(line -> line.startsWith(of))
            .hasSize(3)
            .last()
            .isEqualTo(of + "goes on with " + (1 - rank));
        assertThat(run.outLines())
            .filteredOn(line -> line.startsWith(of + "PEER_GONE 2: "))
            .hasSize(2)
            .allMatch(line -> line.contains("rank 2 ended with exit code 3; nothing can be"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void whoOpensHearsOfARankThatDiesMeanwhile(String network) throws Exception {
    try (LauncherRun run =
        run("-n", "3", "--keep-going", "--net", network, program("Perishes.java"), "open")) {
      assertThat(run.exitCode(SOON)).as(run::dump).isEqualTo(3);
      assertThat(run.outLines())
          .hasSize(2)
          .allMatch(
              line -> line.contains("cannot open the runtime: rank 2 ended with exit code 3"));
    }
  }

  @Test
  void openHasALimitAndNamesWhoIsMissing() throws Exception {
    try (LauncherRun run = run("-n", "3", program("NeverOpens.java"), "stays")) {
      assertThat(run.exitCode()).as(run::dump).isEqualTo(1);
      assertThat(run.err())
          .contains("LacisException", "waited 2000 ms", "for ranks that have not come: 2");
    }
  }

  @Test
  void allWhoAreInABarrierHearThatOneIsMissedWhoHadClosedItsRuntime() throws Exception {
    try (LauncherRun run = run("-n", "6", "--keep-going", program("Deserts.java"))) {
      assertThat(run.exitCode(SOON)).as(run::dump).isEqualTo(1);
      assertThat(run.outLines())
          .hasSize(5)
          .allMatch(line -> line.matches("rank [1-5] misses rank 0"));
    }
  }

  @Test
  void operationsWithARankThatHasClosedNameIt() throws Exception {
    try (LauncherRun run = run("-n", "8", program("Leaves.java"))) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.outLines())
          .hasSize(7)
          .allMatch(line -> line.endsWith(" misses rank 1 and nobody else"));
    }
  }

  // ---- a launcher that ends

  @ParameterizedTest
  @ValueSource(strings = {"spin", "idle", "await", "virtual", "barrier"})
  void ranksEndIfTheLauncherIsKilledWhileTheyAreBusyOrWait(String how) throws Exception {
    try (LauncherRun run = run("-n", "2", program("Stays.java"), how, "sleep")) {
      List<ProcessHandle> ranks = run.awaitReady(2);
      run.process().destroyForcibly();
      assertThat(run.exitCode(SOON)).isEqualTo(137);
      run.awaitEnd(ranks, SOON);
    }
  }

  @ParameterizedTest
  @CsvSource({"INT,spin,130", "INT,await,130", "TERM,barrier,143"})
  void aSignalToTheLauncherEndsTheRanks(String signal, String how, int code) throws Exception {
    assumeTrue(signal.equals("TERM") || LauncherRun.heedsInterrupts());
    try (LauncherRun run = run("-n", "3", program("Stays.java"), how, "sleep")) {
      run.awaitReady(3);
      run.signal(signal);
      assertThat(run.exitCode(SOON)).as(run::dump).isEqualTo(code);
      assertThat(run.err()).isEqualTo("lacis: interrupted; all ranks have ended\n");
    }
  }
}
